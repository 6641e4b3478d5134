"""How Sphinx builds these documents: `sphinx-build -W docs build/docs`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from grader import __version__  # noqa: E402  (the path has to be set first)

project = "grader"
author = "the authors of grader"
release = __version__
extensions = [
    "grader_reference",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "sphinx_copybutton",
]
exclude_patterns = ["README.md", "schemas"]
nitpicky = False  # types of jax and numpy have no pages here

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

# Docstrings of the package write code in single backquotes.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True

# Only what stands after the prompt is copied.
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

# Everything comes from this machine: the pages work without a network.
html_theme = "furo"
html_title = "grader"
html_static_path = ["static"]
html_css_files = ["grader.css"]
html_extra_path = ["schemas"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}
