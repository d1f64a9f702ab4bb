"use strict";
// What is asked about: a text that is pasted, or a file that is chosen or dropped.
(function (q) {
  const given = { text: "", file: null, kind: "text" }; // file: { name, text }
  const TYPES = { text: "text/plain; charset=utf-8", page: "text/html; charset=utf-8", record: "application/json" };
  const ENDINGS = { html: "page", htm: "page", xhtml: "page", json: "record", jsonl: "record", ndjson: "record" };
  let busy = false;

  const size = (text) => new Blob([text]).size;
  const kilobytes = (bytes) => q.number(Math.ceil(bytes / 1024));

  /** The bytes of a file as text: as its mark says, or its page; else UTF-8, else GB 18030. Null where it is none. */
  q.decoded = function (bytes, kind) {
    const charsets = [];
    if (bytes[0] === 0xff && bytes[1] === 0xfe) charsets.push("utf-16le");
    else if (bytes[0] === 0xfe && bytes[1] === 0xff) charsets.push("utf-16be");
    else {
      charsets.push("utf-8");
      if (kind === "page") {
        const head = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
        const found = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(head);
        if (found) charsets.push(found[1]);
      }
      charsets.push("gb18030");
    }
    for (const charset of charsets) {
      try {
        const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
        if (!text.includes("\0")) return text;
      } catch {
        /* not this one */
      }
    }
    return null;
  };

  /** Takes a file: how it is read is chosen by its name. */
  q.takeFile = async function (file) {
    q.trouble(null);
    if (file.size > q.model.limit) {
      q.trouble("too-large", kilobytes(q.model.limit), kilobytes(file.size));
      return;
    }
    const ending = ENDINGS[file.name.toLowerCase().split(".").pop()],
      kind = q.model.given_kinds.includes(ending) ? ending : "text";
    let text = null;
    try {
      text = q.decoded(new Uint8Array(await file.arrayBuffer()), kind);
    } catch {
      /* a folder, or a file that has gone */
    }
    if (text === null) {
      q.trouble("file", q.plain(file.name));
      return;
    }
    given.file = { name: file.name, text };
    given.kind = kind;
    draw();
    q.byId("send").focus();
  };

  function forget() {
    given.file = null;
    given.text = "";
    given.kind = "text";
    q.trouble(null);
    q.forgetAnswer();
    draw();
    q.byId("given").focus();
  }

  /** Asks about what is given. */
  q.askNow = async function () {
    if (busy) return;
    const text = given.file ? given.file.text : given.text;
    q.trouble(null);
    if (!text.trim()) {
      q.trouble("empty");
      q.byId("given")?.focus();
      return;
    }
    if (q.model.tokens && !q.token) {
      q.refused("no-token");
      return;
    }
    const bytes = size(text);
    if (bytes > q.model.limit) {
      q.trouble("too-large", kilobytes(q.model.limit), kilobytes(bytes));
      return;
    }
    saying(true);
    const { said, trouble } = await q.send("query?passages=true&text=true", { body: text, type: TYPES[given.kind] });
    saying(false);
    if (said) {
      q.showAnswer(said, given.file ? given.file.name : "");
      return;
    }
    q.forgetAnswer();
    if (trouble.name === "token") q.refused("token");
    else q.showTrouble(trouble);
  };

  function saying(on) {
    busy = on;
    const button = q.byId("send");
    button.textContent = q.t(on ? "serve.asking" : "serve.ask");
    button.setAttribute("aria-disabled", String(on));
  }

  function field() {
    if (given.file) {
      const remove = q.el("button", { type: "button", id: "remove", on: { click: forget } }, q.t("serve.file.remove"));
      return q.el("p", { class: "file" }, q.t("serve.file", q.plain(given.file.name), kilobytes(size(given.file.text))), " ", remove);
    }
    const area = q.el("textarea", {
      id: "given", rows: 9, dir: "auto", spellcheck: "false", "aria-describedby": "given-hint",
      on: { input: () => (given.text = area.value) },
    });
    area.value = given.text;
    return area;
  }

  function draw() {
    const chosen = q.el("input", { type: "file", id: "file", hidden: true, on: { change: () => chosen.files.length && q.takeFile(chosen.files[0]) } });
    const kind = q.el(
      "select",
      { id: "kind", on: { change: () => (given.kind = kind.value) } },
      q.model.given_kinds.map((one) => q.el("option", { value: one }, q.t("serve.kind." + one))),
    );
    kind.value = given.kind;
    q.fill(q.clear(q.byId("ask")), {}, [
      q.el("h2", { class: "lead" }, given.file ? q.t("serve.given") : q.el("label", { for: "given" }, q.t("serve.given"))),
      field(),
      q.el("p", { class: "soft", id: "given-hint" }, q.t("serve.hint")),
      q.el(
        "div",
        { class: "controls" },
        q.el("button", { type: "button", class: "strong", id: "send", on: { click: q.askNow } }, q.t(busy ? "serve.asking" : "serve.ask")),
        q.el("span", { class: "control" }, q.el("label", { for: "kind" }, q.t("serve.kind")), " ", kind),
        q.el("button", { type: "button", id: "choose", on: { click: () => chosen.click() } }, q.t("serve.choose")),
        chosen,
        q.el("button", { type: "button", id: "clear", on: { click: forget } }, q.t("serve.clear")),
      ),
    ]);
  }

  const files = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    document.documentElement.classList.add("dropping");
  });
  for (const end of ["dragleave", "drop"])
    document.addEventListener(end, (event) => {
      if (end === "drop" || event.relatedTarget === null) document.documentElement.classList.remove("dropping");
    });
  document.addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files.length) q.takeFile(event.dataTransfer.files[0]);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing && !q.pairIsOpen()) {
      event.preventDefault();
      q.askNow();
    }
  });

  q.parts.push({ id: "ask", render: draw });
})(window.quchong);
