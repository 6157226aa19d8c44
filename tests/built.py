"""Builds the page once for all tests, and bundles parts of its code, which tests run in Node or in a browser."""

import subprocess
from functools import cache
from pathlib import Path

import pytest

import build_page

ROOT = Path(__file__).parents[1]
WEB = ROOT / "api/web"
BUNDLES = Path(__file__).parent / "web/bundle.mjs"


@cache
def page() -> Path:
    """Return the folder of the built page; skip the test if it cannot be built."""
    try:
        return build_page.build_page()
    except build_page.BuildError as error:
        pytest.skip(str(error))


def page_with(changes: dict[str, dict[str, str]], root: Path) -> Path:
    """Build a page with other texts in some modules of `static`, in a copy of the sources; return its folder."""
    page()
    for pattern in build_page.SOURCES:
        for path in ROOT.glob(pattern):
            copy = root / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    (root / "api/web/node_modules").symlink_to(WEB / "node_modules")
    for name, texts in changes.items():
        module = root / "api/web/static" / name
        code = module.read_text()
        for text, other in texts.items():
            assert text in code
            code = code.replace(text, other)
        module.write_text(code)
    return build_page.build_page(root)


def entry(name: str) -> str:
    """Return the name of the built file of an entry."""
    from api.resources.page_files import built_page

    page()
    built = built_page()
    assert built
    return built.entries[name]


def chunk(stem: str) -> str:
    """Return the only built file whose name begins in this way: `looking.js` becomes `looking-….js`."""
    name, _, kind = stem.rpartition(".")
    (found,) = page().glob(f"{name}-*.{kind}")
    return found.name


def node() -> str:
    """Return the Node.js program; skip the test if there is none."""
    page()
    return build_page.find_node()


def packages() -> Path:
    """Return the folder of the packages for testing the page; skip the test if they cannot be installed."""
    try:
        build_page.install_packages(WEB, dev=True)
    except build_page.BuildError as error:
        pytest.skip(str(error))
    return WEB / "node_modules"


def bundle(code: str) -> str:
    """Return a script that contains this code and the modules of the page that it imports, such as
    `#page/table/store.ts`."""
    done = subprocess.run([node(), BUNDLES], input=code, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_in_node(code: str, said: str = "") -> str:
    """Run code that imports modules of the page; return its output. `said` is its standard input."""
    program = [node(), "--input-type=module", "--eval", bundle(code)]
    done = subprocess.run(program, input=said, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
