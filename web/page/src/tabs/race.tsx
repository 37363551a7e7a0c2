// SPDX-License-Identifier: Apache-2.0
export function Race() { return <section class="sheet"><h2>Race</h2></section>; }
