"""Running the test module that a fingerprint gives."""

from pathlib import Path


def run_snippet(source: str, folder: Path) -> None:
    """Run the functions of a test module as pytest would."""
    path = folder / "test_pinned.py"
    path.write_text(source, encoding="utf-8")
    names: dict[str, object] = {}
    exec(compile(source, str(path), "exec"), names)
    tests = [each for name, each in names.items() if name.startswith("test_")]
    assert len(tests) > 5
    for test in tests:
        test()  # type: ignore[operator]
