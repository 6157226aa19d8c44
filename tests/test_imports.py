"""Tests that no module imports itself, even indirectly; imports inside functions count."""

from graphlib import TopologicalSorter

import grimp


def test_imports_are_not_circular():
    graph = grimp.build_graph("api", "domain", "events", "workers", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 200
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle
