"use strict";
// What all parts share: the model, elements, and text of strangers made harmless to look at.
window.quchong = { parts: [] };

(function (q) {
  q.model = JSON.parse(document.getElementById("model").textContent);
  q.words = JSON.parse(document.getElementById("words").textContent);

  /** An element. `about` holds attributes, and `on` with listeners; children are nodes, or text of ours. */
  q.el = function (tag, about, ...children) {
    return q.fill(document.createElement(tag), about, children);
  };

  q.svg = function (tag, about, ...children) {
    return q.fill(document.createElementNS("http://www.w3.org/2000/svg", tag), about, children);
  };

  q.fill = function (node, about, children) {
    for (const [name, value] of Object.entries(about || {})) {
      if (name === "on") {
        for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
      } else if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
    }
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false) continue;
      node.append(...(typeof child === "string" && !PLAIN.has(node.localName) ? whole(child) : [child]));
    }
    return node;
  };

  // Elements that hold text alone, and those of pictures.
  const PLAIN = new Set(["option", "title", "textarea", "text", "tspan", "style", "script"]);
  const OPTION = /(--[a-z]{1,12}(?:-[a-z]{1,12}){0,3})/;

  /** Text of ours, in which the name of an option is not broken at a hyphen where the view is narrow. */
  const whole = (text) =>
    OPTION.test(text)
      ? text.split(OPTION).map((part, k) => {
          if (k % 2 === 0) return part;
          const name = document.createElement("span");
          name.className = "option";
          name.append(part);
          return name;
        })
      : [text];

  q.clear = (node) => {
    node.replaceChildren();
    return node;
  };
  q.byId = (id) => document.getElementById(id);

  // The characters of quchong.report.visible: controls, bidi marks, what has no width, half characters.
  const SELECTORS = "\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}";
  const PICTURES = "\\u2190-\\u2bff\\ufe0f\\u{1f000}-\\u{1faff}";
  q.UNSAFE = new RegExp(
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u{d800}-\\u{dfff}" +
      "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200c\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f" +
      "\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\u{13430}-\\u{1343f}" +
      "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}]" +
      `|(?:^|(?<=[${SELECTORS}]))[${SELECTORS}]` +
      `|(?<![${PICTURES}])\\u200d|\\u200d(?![${PICTURES}])`,
    "gu",
  );

  /** Puts text of strangers into a node, every unseen character as its code. */
  q.say = function (node, text) {
    text = text.replaceAll("\r\n", "\n");
    let at = 0;
    for (const found of text.matchAll(q.UNSAFE)) {
      if (found.index > at) node.append(text.slice(at, found.index));
      const code = "U+" + found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      node.append(q.el("span", { class: "code", title: q.t("code", code) }, code));
      at = found.index + found[0].length;
    }
    if (at < text.length) node.append(text.slice(at));
    return node;
  };

  /** Text of strangers as an element of its own, so that its direction ends where it ends. */
  q.shown = (text, about) => q.say(q.el("bdi", about), text);

  /** Text of strangers where only a string can stand, such as a label of a chart. */
  q.plain = (text) =>
    text.replace(q.UNSAFE, (c) => `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

  /** Text with values of strangers in it, of which names of options are ours. */
  q.told = function (text) {
    const node = q.shown(text);
    for (const part of [...node.childNodes]) if (part.nodeType === Node.TEXT_NODE) part.replaceWith(...whole(part.data));
    return node;
  };

  q.doc = (i) => {
    const documents = q.model.documents;
    return {
      id: documents.id[i],
      title: documents.title[i],
      source: documents.sources[documents.source[i]],
      seconds: documents.time[i],
      address: documents.address?.[i] ?? null,
      published: documents.address?.[i] ?? documents.time[i],
      when: documents.when[i],
      removed: documents.removed[i] === 1,
      text: documents.text[i],
      fields: documents.fields[i],
    };
  };

  /** A document in a line: title and id. */
  q.name = (i) => {
    const d = q.doc(i);
    const bare = !d.title || d.title === d.id;
    return q.el(
      "span",
      { class: "doc" },
      bare ? null : q.shown(d.title, { class: "doc-title" }),
      " ",
      q.shown(d.id, { class: "doc-id" }),
    );
  };

  const pairs = new Map();
  q.model.pairs.forEach((p, k) => {
    pairs.set(p.left + "," + p.right, k);
  });
  /** The number of the pair of two documents; -1 where it is not in the page. */
  q.pairOf = (a, b) => pairs.get(a + "," + b) ?? pairs.get(b + "," + a) ?? -1;

  /** Pages of a long list: a bar with buttons. */
  q.pager = function (page, pages, go) {
    if (pages < 2) return null;
    const turn = (event, word, to) => {
      // the list is made anew: its beginning is shown, and the key stays where it was
      const section = event.currentTarget.closest("section");
      go(to);
      const again = [...section.querySelectorAll(".pager button:not(:disabled)")];
      (again.find((b) => b.dataset.turn === word) || again[0]).focus({ preventScroll: true });
      section.scrollIntoView();
    };
    const button = (word, to, off) =>
      q.el(
        "button",
        { type: "button", disabled: off, "data-turn": word, on: { click: (event) => turn(event, word, to) } },
        q.t(word),
      );
    return q.el(
      "nav",
      { class: "pager", "aria-label": q.t("page.of", q.number(page + 1), q.number(pages)) },
      button("page.previous", page - 1, page === 0),
      q.el("span", {}, q.t("page.of", q.number(page + 1), q.number(pages))),
      button("page.next", page + 1, page === pages - 1),
    );
  };

  q.chip = (relation) => q.el("span", { class: "chip r-" + relation }, q.t("relation." + relation));
})(window.quchong);
