/// The style sheet of every page.
///
/// The text is part of the program, so the program needs no file beside it.
enum PageStyle {
    static let bytes = Array(styleSheet.utf8)
}

private let styleSheet = #"""
    :root {
      color-scheme: light dark;
      --ground: #f8f8f6; --card: #fff; --text: #1d2228; --soft: #535c67; --line: #dcdfe3;
      --lane: #f6f7f8; --accent: #0b5cad; --focus: #0b5cad;
      --error: #b0123b; --warning: #854700; --well: #17693c; --error-back: #fdf0f3;
      --bought: #0b62b8; --given: #00775a; --taken: #b75000; --asked: #6b7480; --done: #00775a;
      --failed: #41474f; --other: #7b848f; --finding: #c8174a;
      --period: #d7e8f8; --period-line: #2f7dc4; --period-text: #0c3a66;
      --ended: #f7e2d0; --ended-line: #b75000; --ended-text: #5c2900; --grace: #b98a00;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #13161b; --card: #1b1f26; --text: #e7e9ec; --soft: #a9b1bc; --line: #353c47;
        --lane: #20252d; --accent: #7cbaf7; --focus: #9ccbfa;
        --error: #ff8aa3; --warning: #f2b661; --well: #76d39d; --error-back: #2c1c22;
        --bought: #6fb4f5; --given: #45c9a0; --taken: #f19a4f; --asked: #a9b1bc; --done: #45c9a0;
        --failed: #d3d8de; --other: #8d96a2; --finding: #ff6f91;
        --period: #17395a; --period-line: #4f9be0; --period-text: #dcecfc;
        --ended: #46290f; --ended-line: #e08a40; --ended-text: #fbe3cd; --grace: #dcb23c;
      }
    }
    * { box-sizing: border-box; }
    html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
    html.js { scroll-padding-top: 8.5rem; }
    body {
      margin: 0; background: var(--ground); color: var(--text);
      font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
      overflow-wrap: anywhere;
    }
    header, main, footer {
      max-width: 100rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 4rem);
    }
    header { padding-top: clamp(1.5rem, 4vw, 3.5rem); }
    footer { padding-block: 3rem 2rem; color: var(--soft); font-size: .875rem; }
    .skip { position: absolute; left: -99rem; }
    .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 9; }
    a { color: var(--accent); text-underline-offset: .15em; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
    h1, h2, h3, h4, p, ul, ol, dl { margin: 0; }
    h1 { font-size: clamp(1.6rem, 4.5vw, 2.6rem); line-height: 1.15; letter-spacing: -.015em; }
    h2 { font-size: 1.4rem; line-height: 1.25; margin-bottom: 1rem; letter-spacing: -.01em; }
    h3 { font-size: 1.05rem; }
    h4 { font-size: 1rem; line-height: 1.45; }
    .eyebrow { color: var(--soft); font-size: .875rem; margin-bottom: .25rem; }
    .verdict { font-size: 1.15rem; margin-top: .75rem; max-width: 60ch; }
    .verdict.error { color: var(--error); }
    .verdict.warning { color: var(--warning); }
    .verdict.well { color: var(--well); }
    .narrowed, .left-out, .none, .evidence, .where, .count, .because, .moment {
      color: var(--soft);
    }
    .narrowed, .left-out, .evidence, .where, .because { font-size: .875rem; }
    .moment { font-weight: 400; font-size: .875rem; }
    .facts { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin-top: 1.5rem; }
    .facts dt { color: var(--soft); font-size: .8125rem; }
    .facts dd {
      margin: 0; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums;
    }
    nav ul {
      display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 1.5rem 0 0;
    }
    nav a { display: inline-block; padding: .25rem 0; }
    #tools {
      display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; margin-top: 1rem;
    }
    #tools:empty { display: none; }
    input[type="search"], button {
      font: inherit; font-size: .9375rem; color: inherit; background: var(--card);
      border: 1px solid var(--soft); border-radius: 6px; min-height: 2.25rem;
      padding: .25rem .75rem;
    }
    input[type="search"] { width: min(22rem, 100%); }
    input::placeholder { color: var(--soft); opacity: 1; }
    button { cursor: pointer; }
    button:hover { border-color: var(--accent); color: var(--accent); }
    button:disabled { opacity: .5; cursor: default; color: inherit; border-color: var(--line); }
    output { color: var(--soft); font-size: .875rem; }
    section { padding-top: 3rem; }
    details > summary { cursor: pointer; min-height: 1.75rem; }
    summary:hover { color: var(--accent); }

    .wide { overflow-x: auto; }
    table { border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; }
    th, td {
      text-align: left; vertical-align: top; padding: .45rem 1.5rem .45rem 0;
      border-bottom: 1px solid var(--line);
    }
    th { color: var(--soft); font-weight: 500; font-size: .8125rem; white-space: nowrap; }
    td { min-width: 4rem; overflow-wrap: break-word; max-width: 44rem; }
    td.n, th.n { text-align: right; }
    .account td:nth-child(2) { white-space: nowrap; }
    .rows table { font-size: .8125rem; }
    .rows th, .rows td { padding-right: 1rem; }
    .rows td { min-width: 0; overflow-wrap: break-word; }
    .rows td:first-child { min-width: 10rem; }
    .rows .when { min-width: 6.75rem; }
    #affected td:nth-child(2) { min-width: 11rem; }
    #affected td:nth-child(4) { white-space: nowrap; }
    #affected td:last-child { min-width: 20rem; }
    .account td:nth-child(3) { min-width: 14rem; }
    #rules td:last-child { min-width: 18rem; }
    #logs td { white-space: nowrap; }
    th button {
      border: 0; background: none; padding: 0; min-height: 1.5rem; font-size: inherit;
      color: inherit;
    }
    th[aria-sort="ascending"] button::after { content: " ↑"; }
    th[aria-sort="descending"] button::after { content: " ↓"; }

    .level { font-weight: 600; }
    .level.error { color: var(--error); }
    .level.warning { color: var(--warning); }
    .level.note { color: var(--soft); }
    .rule { margin-top: 2rem; }
    .rule h3 { display: inline; margin-right: .75rem; }
    .rule .level { margin-right: .35rem; }
    .rule .count { white-space: nowrap; }
    .statement { max-width: 75ch; margin-top: .5rem; }
    .evidence { margin-top: .25rem; }
    .finding {
      background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--soft);
      border-radius: 6px; padding: 1rem 1.25rem; margin-top: 1rem; max-width: 85ch;
    }
    .finding.error { border-left-color: var(--error); }
    .finding.warning { border-left-color: var(--warning); }
    .finding h4 { font-weight: 600; }
    .finding .line, .proof .line {
      white-space: nowrap; font-variant-numeric: tabular-nums; margin-right: .4rem;
    }
    .proof { list-style: none; padding: 0; margin-top: .6rem; }
    .proof li { padding: .15rem 0; }
    .hint { margin-top: .6rem; }
    .hint::before { content: "What to look at: "; color: var(--soft); }
    .where { margin-top: .6rem; }
    .diagnostics { padding-left: 1.25rem; }
    article:target, .finding:target { outline: 3px solid var(--focus); outline-offset: 2px; }

    .legend {
      display: flex; flex-wrap: wrap; gap: .35rem 1.5rem; list-style: none; padding: 0;
      margin: .75rem 0 0; font-size: .875rem; color: var(--soft);
    }
    .legend li { display: flex; align-items: center; gap: .4rem; }
    .log { margin-top: 2rem; }
    .log > h3 { font-weight: 600; }
    .account {
      background: var(--card); border: 1px solid var(--line); border-radius: 8px;
      padding: 1.25rem clamp(.75rem, 2vw, 1.5rem); margin-top: 1.25rem; width: fit-content;
      min-width: min(34rem, 100%); max-width: 100%;
    }
    .account > details { margin-top: .75rem; }
    .account > details > p { margin-top: 1rem; }
    .account > details > summary { color: var(--soft); }
    .account .count { margin-top: .1rem; font-size: .9375rem; }
    .picture {
      display: flex; overflow-x: auto; scrollbar-width: thin; margin-top: .75rem;
      padding-bottom: .25rem;
    }
    .picture svg { flex: none; display: block; }
    .picture .pin { position: sticky; left: 0; margin-right: -112px; z-index: 1; }
    /* A fade tells that the picture goes on; at its end the fade lies on the empty margin. */
    .picture::after {
      content: ""; position: sticky; right: 0; flex: none; width: 18px; margin-left: -18px;
      background: linear-gradient(to right, transparent, var(--card)); pointer-events: none;
    }
    .symbols { position: absolute; }
    text {
      font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
      fill: var(--text); unicode-bidi: isolate;
    }
    svg .tick, svg .span { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums; }
    svg .span { text-anchor: middle; font-style: italic; }
    .names .ground { fill: var(--card); }
    .names text { fill: var(--text); }
    .names .small { font-size: 11px; fill: var(--soft); }
    svg .lane { fill: var(--lane); }
    svg .lane.odd { fill: none; }
    svg .day { stroke: var(--line); fill: none; }
    svg .end { stroke: var(--soft); stroke-dasharray: 2 4; fill: none; }
    svg .stem { stroke: var(--finding); stroke-width: 1.25; fill: none; opacity: .65; }
    #bought circle { fill: var(--bought); }
    #given rect { fill: var(--given); }
    #taken path { fill: var(--taken); }
    #failed path { fill: none; stroke: var(--failed); stroke-width: 2.75; stroke-linecap: round; }
    #asked circle { fill: var(--card); stroke: var(--asked); stroke-width: 2; }
    #done path {
      fill: none; stroke: var(--done); stroke-width: 2.5; stroke-linecap: round;
      stroke-linejoin: round;
    }
    #other circle { fill: var(--other); }
    #finding path { fill: var(--finding); }
    #finding .bang { stroke: var(--card); stroke-width: 1.75; fill: none; stroke-linecap: round; }
    .hit { fill: transparent; }
    svg .more { font-size: 11px; fill: var(--finding); }
    .h0 { fill: var(--card); }
    .h1 { fill: var(--grace); }
    .bar rect { stroke-width: 1; }
    .bar text { text-anchor: middle; font-size: 11px; }
    .period rect { fill: var(--period); stroke: var(--period-line); }
    .period text { fill: var(--period-text); }
    .ended rect { fill: var(--ended); stroke: var(--ended-line); }
    .ended text { fill: var(--ended-text); }
    .grace rect { fill: url(#hatch); stroke: var(--grace); }
    .grace text { fill: var(--text); paint-order: stroke; stroke: var(--card); stroke-width: 4; }
    .lapse rect { fill: none; stroke: var(--soft); stroke-dasharray: 3 3; }
    .lapse text { fill: var(--soft); }
    .picture g:target use {
      outline: 3px solid var(--focus); outline-offset: 3px; border-radius: 50%;
    }
    .picture a:focus-visible use { outline: 3px solid var(--focus); }
    .later { opacity: .22; }

    .state { margin-top: 1rem; display: contents; }
    .stepper:not(:empty) {
      position: sticky; top: 0; z-index: 3; background: var(--ground); padding: .75rem 0 .5rem;
      border-bottom: 1px solid var(--line); display: grid; gap: .25rem .75rem;
      grid-template-columns: auto 1fr auto; align-items: center;
    }
    .stepper p { grid-column: 1 / -1; font-size: .9375rem; min-height: 1.6em; }
    .stepper input { width: 100%; min-height: 1.75rem; accent-color: var(--accent); }
    .tables { display: flex; flex-wrap: wrap; gap: 1rem 3rem; margin-top: 1.25rem; }
    .rows { min-width: 0; max-width: 100%; }
    .rows .none { margin-top: .25rem; }
    .sorted { outline: none; }
    [hidden] { display: none !important; }

    @media (max-width: 40rem) {
      .facts {
        display: grid; grid-template-columns: repeat(3, auto); justify-content: start;
        gap: 1rem 2rem;
      }
      .stepper p { min-height: 4.7em; }
      th, td { padding-right: 1rem; }
      /* A row is a list: each value beside its column's name. */
      .sorts, .sorts tbody, .rows table, .rows tbody { display: block; }
      .rows table { font-size: .875rem; }
      .sorts tr, .rows tbody tr {
        display: block; padding-block: .4rem; border-bottom: 1px solid var(--line);
      }
      .sorts thead, .rows thead { display: none; }
      .js .sorts:has(tbody tr + tr) thead { display: block; }
      .js .sorts thead tr { display: flex; flex-wrap: wrap; gap: 0 .25rem; align-items: baseline; }
      .js .sorts thead tr::before { content: "Sort by"; font-size: .8125rem; color: var(--soft); }
      .sorts th { border: 0; padding: 0 .5rem 0 0; }
      .sorts th button { text-decoration: underline dotted; text-underline-offset: .2em; }
      td[data-l] {
        display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: .75rem; border: 0;
        padding: .15rem 0; text-align: left; white-space: normal !important;
        min-width: 0 !important;
        overflow-wrap: anywhere;
      }
      td[data-l]::before { content: attr(data-l); color: var(--soft); font-size: .8125rem; }
      td[data-l] > .because { grid-column: 2; }
      td[data-l] > br, td[data-l]:empty { display: none; }
      .finding { padding: .85rem 1rem; }
    }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
    /* Pictures and states are wide, and paper doesn't scroll. */
    @page { size: landscape; margin: 12mm; }
    @media print {
      :root { --ground: #fff; --lane: #f4f5f6; }
      html { font-size: 10pt; }
      table { font-size: .75rem; }
      th, td { padding-right: .6rem; white-space: normal; }
      th { overflow-wrap: normal; hyphens: none; }
      td { min-width: 0; overflow-wrap: anywhere; }
      nav, #tools, .skip, .stepper, .pin { display: none !important; }
      section { padding-top: 1.5rem; }
      .finding, .account, tr { break-inside: avoid; }
      h2, h3, .legend { break-after: avoid; }
      .account { width: auto; }
      .picture { display: block; overflow: visible; }
      .picture::after { display: none; }
      .picture svg { max-width: 100%; height: auto; }
      .wide { overflow: visible; }
      a { color: inherit; }
    }

    """#
