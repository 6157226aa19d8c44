"""Routes name their functions, whose modules are imported on first use: a name that leads nowhere must fail here."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from flask import Flask

from api import resources
from api.app import ViewsOnUse, load_routes
from api.http.openapi_operations import _OPERATIONS
from api.route_table import ROUTES

VIEWS = [view for _, _, view in ROUTES]
TEXTS = ("read_llms_text", "guide_text", "how_to_text", "rulebook_text")
BOARDS = ("embedded_board", "describe_embedding")
OWN_FILES = {
    "page_routes.page_file",
    "page_routes.game_verifier",
    *(f"embed_routes.{board}" for board in BOARDS),
    *(f"markdown_routes.{text}" for text in TEXTS),
}
"""Views of the files of the page, of boards for other sites, and of texts for language models: no description lists
them."""
MODULES = sorted(path.stem for path in Path(resources.__path__[0]).glob("*_routes.py"))

TOGETHER = """
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

from api.app import app_with_routes
from api.route_table import ROUTES

views = app_with_routes().view_functions
began = Barrier(8)

def load_all(seed):
    names = Random(seed).sample([view for _, _, view in ROUTES], len(ROUTES))
    began.wait()
    return {name: views[name] for name in names}

with ThreadPoolExecutor(8) as threads:
    first, *others = threads.map(load_all, range(8))
assert all(other == first for other in others)
print(len(first))
"""


def test_routes_and_functions_with_an_operation_correspond():
    for module in MODULES:
        import_module(f"api.resources.{module}")
    described = {
        f"{view.__module__.rpartition('.')[2]}.{view.__name__}"
        for view in _OPERATIONS
        if view.__module__.startswith("api.resources.")
    }
    assert sorted(VIEWS) == sorted(described | OWN_FILES)


def test_each_route_leads_to_a_function():
    views = ViewsOnUse()
    assert [view for view in VIEWS if views[view].__name__ != view.partition(".")[2]] == []


def test_all_routes_can_be_loaded_before_they_are_requested():
    app = Flask("api", static_folder=None)
    views = app.view_functions = ViewsOnUse()
    load_routes(app)
    assert sorted(views) == sorted(VIEWS)


def test_module_that_cannot_be_loaded_is_tried_again(monkeypatch):
    views = ViewsOnUse()
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "api.resources.key_routes", None)
        with pytest.raises(ImportError):
            views["key_routes.list_keys"]
    assert views["key_routes.list_keys"] is views["key_routes.list_keys"]


def test_threads_that_need_the_same_modules_first_get_the_same_functions():
    done = subprocess.run([sys.executable, "-c", TOGETHER], check=False, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{len(VIEWS)}\n", "")
