"""The faces of other packages over this one, so that code written for them runs without them."""
