// SPDX-License-Identifier: Apache-2.0
export function Maneuvers() { return <section class="sheet"><h2>Maneuvers</h2></section>; }
