"""How Sphinx builds these documents: `sphinx-build -W docs build/docs`."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parents[1]))

from grader import __version__

project = "JAX by exercises"
author = "the authors of JAX by exercises"
release = __version__
extensions = ["myst_parser", "sphinx_copybutton"]
exclude_patterns = ["README.md", "schemas"]

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

# Only what stands after the prompt is copied.
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

# Everything comes from this machine: the pages work without a network.
html_theme = "furo"
html_title = "JAX by exercises"
html_static_path = ["static"]
html_css_files = ["grader.css"]
html_extra_path = ["schemas"]
html_copy_source = False
html_show_sphinx = False
smartquotes = False  # an option is written with two hyphens
html_theme_options = {"top_of_page_buttons": []}

# What the theme leaves out for screen readers and keyboards.
_LABELS = {
    'class="caption" role="heading"': 'class="caption" role="heading" aria-level="2"',
    '<aside class="sidebar-drawer"': '<aside class="sidebar-drawer" aria-label="All pages"',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<div id="search-results">': '<h1>Search</h1>\n<div id="search-results">',
    "<pre": '<pre tabindex="0"',  # wide code scrolls, which the arrow keys do only with a focus
}


def _label(app: Sphinx, error: Exception | None) -> None:
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for plain, labelled in _LABELS.items():
            text = text.replace(plain, labelled)
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", _label)
