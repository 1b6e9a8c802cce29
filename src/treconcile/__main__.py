"""`python -m treconcile`."""

from treconcile.cli import main

if __name__ == "__main__":
    main()
