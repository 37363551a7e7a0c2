# SPDX-License-Identifier: Apache-2.0
from typing import Any

def export_scene(*arguments: Any) -> list[str]: ...
