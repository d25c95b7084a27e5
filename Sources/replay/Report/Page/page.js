"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, properties = {}) =>
    Object.assign(document.createElement(name), properties);
  document.documentElement.classList.add("js");

  // Tables sort by a click on a column's heading.
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.k ?? cell.textContent;
  };
  const compare = (left, right) => {
    const [a, b] = [Number(left), Number(right)];
    return left !== "" && right !== "" && !Number.isNaN(a) && !Number.isNaN(b)
      ? a - b
      : left < right ? -1 : left > right ? 1 : 0;
  };
  for (const table of all("table.sorts")) {
    const body = table.tBodies[0];
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = make("button", { type: "button" });
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        const rows = [...body.rows];
        rows.sort((a, b) => sign * compare(value(a, column), value(b, column)));
        body.append(...rows);
      });
    });
  }

  // Search hides the findings and the accounts that don't hold the text.
  const tools = document.getElementById("tools");
  const search = make("input", { type: "search", placeholder: "Search findings and accounts" });
  search.setAttribute("aria-label", "Search findings and accounts");
  const told = make("output");
  const parts = all(".finding, .account");
  const texts = new Map();
  const find = () => {
    const wanted = search.value.trim().toLowerCase();
    let shown = 0;
    for (const part of parts) {
      if (!texts.has(part)) texts.set(part, part.textContent.toLowerCase());
      part.hidden = wanted !== "" && !texts.get(part).includes(wanted);
      if (!part.hidden) shown += 1;
    }
    for (const rule of all(".rule")) {
      rule.hidden = wanted !== "" && !rule.querySelector(".finding:not([hidden])");
    }
    told.textContent = wanted === "" ? "" : `${shown} of ${parts.length} match`;
  };
  search.addEventListener("input", find);
  const fold = (label, open) => {
    const button = make("button", { type: "button", textContent: label });
    button.addEventListener("click", () => {
      for (const details of all("details")) details.open = open;
    });
    return button;
  };
  tools.append(search, fold("Expand all", true), fold("Collapse all", false), told);

  // A link into something folded or hidden opens it.
  const reveal = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let part = target; part; part = part.parentElement) {
      if (part.localName === "details") part.open = true;
      if (part.hidden) part.hidden = false;
    }
    target.scrollIntoView({ block: "center", inline: "center" });
  };
  addEventListener("hashchange", reveal);
  // A picture wider than the page opens at its first finding.
  for (const picture of all(".picture")) {
    const mark = picture.querySelector("a.mark")?.getBoundingClientRect();
    const frame = picture.getBoundingClientRect();
    if (mark && mark.right > frame.right - 24) {
      picture.scrollLeft = mark.left - frame.left - frame.width * 2 / 3;
    }
  }
  reveal();

  // The state at a line: a list of rows is spliced from line to line.
  const block = document.getElementById("states");
  const histories = block ? JSON.parse(block.textContent) : [];
  const unfold = (table) => {
    const lists = [];
    let list = [];
    for (const [step, start, removed, ...inserted] of table.splices) {
      list = list.slice();
      list.splice(start, removed, ...inserted);
      lists.push([step, list]);
    }
    return lists;
  };
  const at = (lists, step) => {
    let found = [];
    for (const [from, list] of lists) {
      if (from > step) break;
      found = list;
    }
    return found;
  };
  const show = (place, table, list, moment) => {
    const rows = list.map((index) => table.rows[index]);
    const keys = table.keys.map((key, index) => index)
      .filter((index) => rows.some((row) => row[index] !== ""));
    const head = make("tr");
    for (const index of keys) {
      head.append(make("th", { scope: "col", textContent: table.keys[index] }));
    }
    place.querySelector("thead").replaceChildren(head);
    place.querySelector("tbody").replaceChildren(...rows.map((row) => {
      const line = make("tr");
      for (const index of keys) {
        const isTime = ["from", "until", "since"].includes(table.keys[index]);
        const cell = make("td", { className: isTime ? "when" : "", textContent: row[index] });
        cell.dataset.l = table.keys[index];
        line.append(cell);
      }
      return line;
    }));
    place.querySelector(".none")?.remove();
    if (rows.length === 0) place.append(make("p", { className: "none", textContent: "none" }));
    place.querySelector(".moment").textContent = moment;
  };
  for (const history of histories) {
    const log = document.querySelector(`.log[data-log="${history.log}"]`);
    const last = history.steps.length - 1;
    if (!log || last < 0) continue;
    const places = all(".rows", log);
    const tables = history.tables.map((table) => [table, unfold(table)]);
    const marks = all(".picture g[id^='m']", log)
      .map((mark) => [mark, Number(mark.id.split("-")[1])]);
    const stepper = log.querySelector(".stepper");
    const slider = make("input", { type: "range", min: 0, max: last, value: last });
    slider.setAttribute("aria-label", "Line of the log");
    const words = make("p");
    words.setAttribute("aria-live", "polite");
    const button = (label, name, by) => {
      const button = make("button", { type: "button", textContent: label });
      button.setAttribute("aria-label", name);
      button.addEventListener("click", () => go(Number(slider.value) + by));
      return button;
    };
    const before = button("←", "One line back", -1);
    const after = button("→", "One line forward", 1);
    const go = (step) => {
      step = Math.max(0, Math.min(last, step));
      slider.value = step;
      const [line, , time, text] = history.steps[step];
      const said = `line ${line} of ${history.steps[last][0]}, ${time}: ${text}`;
      slider.setAttribute("aria-valuetext", said);
      words.textContent = said[0].toUpperCase() + said.slice(1);
      before.disabled = step === 0;
      after.disabled = step === last;
      const moment = step === last ? "at the end of the log" : `after line ${line}`;
      tables.forEach(([table, lists], index) =>
        show(places[index], table, at(lists, step), moment));
      for (const [mark, number] of marks) mark.classList.toggle("later", number > line);
    };
    slider.addEventListener("input", () => go(Number(slider.value)));
    stepper.append(before, slider, after, words);
    log.addEventListener("click", (event) => {
      const mark = event.target.closest(".picture g[id^='m']");
      if (!mark) return;
      const line = Number(mark.id.split("-")[1]);
      go(history.steps.findIndex((step) => step[0] === line));
    });
    go(last);
  }
})();
