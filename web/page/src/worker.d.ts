// SPDX-License-Identifier: Apache-2.0
declare module "worker:source" { const text: string; export default text; }
