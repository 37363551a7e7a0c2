// SPDX-License-Identifier: Apache-2.0
export function Results() { return <section class="sheet"><h2>Results</h2></section>; }
