// SPDX-License-Identifier: Apache-2.0
export function Tires() { return <section class="sheet"><h2>Tires</h2></section>; }
