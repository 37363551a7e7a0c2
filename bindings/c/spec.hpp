// SPDX-License-Identifier: Apache-2.0
// What the handles of vdsim.h stand for: catalog and spec.
#pragma once
#include <memory>

#include "bindings/c/call.hpp"
#include "vdsim/config/document.hpp"

struct vdsim_catalog {
  std::shared_ptr<const vdsim::Catalog> catalog;
};
struct vdsim_spec {
  vdsim::Document document;
};
