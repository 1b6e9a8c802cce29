"""JSON with places: a strict parser, and the values that ids, scores and grades are read from."""
