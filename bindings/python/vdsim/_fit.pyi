# SPDX-License-Identifier: Apache-2.0
from typing import Any

def fit(*arguments: Any) -> tuple[str, str, str, str]: ...
