#!/usr/bin/env bash
# Runs once, when Gradescope builds the image: Python, the grader, a first proof of every suite.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${AUTOGRADER_ROOT:-/autograder}

# The Python that the versions in requirements.txt were tested with comes first.
python=""
find_python() {
  local candidate
  for candidate in @PYTHON@ python3.14 python3.13 python3.12 python3.11 python3; do
    if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' \
      2>/dev/null; then
      python=$candidate
      return 0
    fi
  done
  return 1
}
if ! find_python && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update
  for candidate in @PYTHON@ python3 python3.12 python3.11; do
    apt-get install -y --no-install-recommends "$candidate" "$candidate-venv" || true
    if find_python; then break; fi
  done
fi
if [ -z "$python" ]; then
  echo "This image has no Python 3.11 or newer. Choose a newer Ubuntu as the base image." >&2
  exit 1
fi

"$python" -m venv "$root/venv"
"$root/venv/bin/python" -m pip install --no-cache-dir --disable-pip-version-check \
  -r "$source/requirements.txt" "$source"/*.whl
chmod -R go= "$source"

# Fills the compile cache, so that no student waits for it. Fails if a suite is broken.
export XDG_CACHE_HOME=$root/cache
"$root/venv/bin/python" -I -m grader.delivery.autograder prove "$source"
