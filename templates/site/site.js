// Plays the games that the referee has worked out, and looks through the index. It knows no rule of any game.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const $ = (id) => document.getElementById(id);
  const read = (id) => {
    const block = $(id);
    return block ? JSON.parse(block.textContent) : null;
  };
  const made = (name, text, facts = {}) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    Object.assign(element, facts);
    return element;
  };

  // --- a game, step by step -------------------------------------------------------------------------------------

  const play = (game) => {
    const [board, said, slider] = [$("board"), $("said"), $("step")];
    const pieces = [...$("pieces").children];
    const owners = game.letters.flatMap((letters, side) => [...letters].map((letter) => [side, letter]));
    const lists = game.pool.map((text) => text.split(" "));
    const sheets = [...document.querySelectorAll(".sheet")].map((table) => ({
      side: game.sides.indexOf(table.dataset.side),
      left: table.querySelector(".left"),
      plural: table.querySelector(".plural"),
      rows: [...table.tBodies[0].rows],
    }));
    const links = [...document.querySelectorAll(".record a[id]")];
    // The ends of addresses name steps: the browser is not to look for the row of a move, and scroll there.
    document.querySelectorAll(".record [id]").forEach((each) => {
      each.dataset.key = each.id;
      each.removeAttribute("id");
    });
    const buttons = Object.fromEntries([...document.querySelectorAll("[data-go]")].map((each) => [each.dataset.go, each]));
    const list = document.querySelector(".list");
    const last = game.steps.length - 1;
    let step = last;
    let eyes = game.eyes[0];

    const turned = () => eyes.side !== board.dataset.south;
    const middle = (file, rank) => (turned() ? [123 - 10 * file, 10 * rank + 3] : [10 * file + 3, 123 - 10 * rank]);
    const at = (square) => middle(...square.split(",").map(Number));
    const move = (element, [x, y]) => element.setAttribute("transform", `translate(${x} ${y})`);

    const drawLine = ([file, rank, toFile, toRank, answer]) => {
      const [[x, y], [toX, toY]] = [middle(file, rank), middle(toFile, toRank)];
      const draw = (name, facts) => {
        const element = document.createElementNS(SVG, name);
        Object.entries(facts).forEach(([key, value]) => element.setAttribute(key, value));
        $("lines").append(element);
        return element;
      };
      const long = Math.hypot(toX - x, toY - y);
      const cut = (from, length) => [from[0] + ((toX - x) * length) / long, from[1] + ((toY - y) * length) / long];
      // A piece that went stands at the end, one that did not at the start: there the line keeps off its letter. Whoever
      // knows how a turn that waits will be answered sees the piece there already.
      const taken = (square) => lists[eyes.frames[step][0]].slice(1).some((place) => place.replace("+", "") === square);
      const [here, there] = [taken(`${file},${rank}`), taken(`${toFile},${toRank}`)];
      const slant = x !== toX && y !== toY ? 1.3 : 1;
      const [beginX, beginY] = here && answer !== 1 ? cut([x, y], 4.4 * slant) : [x, y];
      const [endX, endY] = there ? cut([toX, toY], (answer ? -4.6 : -5.4) * slant) : [toX, toY];
      draw("path", { class: `trace ${["no", "yes", "waits"][answer]}`, d: `M${beginX} ${beginY}L${endX} ${endY}` });
      if (answer === 1) draw("circle", { class: "dot", cx: x, cy: y, r: 1.3 });
      if (answer === 0) draw("path", { class: "trace", d: `M${endX - 1.6} ${endY - 1.6}l3.2 3.2m0-3.2l-3.2 3.2` });
      if (answer === 2 && !there) draw("text", { class: "mark", x: endX, y: endY + 1.5 }).textContent = "?";
    };

    const drawBoard = () => {
      const [places, types] = eyes.frames[step].map((place) => lists[place]);
      move($("z"), at(places[0]));
      pieces.forEach((piece, place) => {
        const [where, type] = [places[place + 1], Number(types[place])];
        const promoted = where.endsWith("+");
        const sign = promoted ? "+" : type ? game.signs[type - 1] : "";
        piece.classList.toggle("gone", !where.includes(","));
        piece.classList.toggle("bare", !sign);
        piece.lastElementChild.textContent = sign;
        if (where.includes(",")) move(piece, at(where.replace("+", "")));
      });
      const standing = game.sides.map((side, number) => {
        const own = pieces.flatMap((piece, place) => (owners[place][0] === number && places[place + 1].includes(",") ? [place] : []));
        return `${side}: ${own.map((place) => `${owners[place][1]} ${places[place + 1]}`).join("; ")}.`;
      });
      $("board-desc").textContent = `${standing.join(" ")} Z: ${places[0]}.`;
      $("lines").replaceChildren();
      game.steps[step][3].forEach(drawLine);
      board.querySelectorAll(".file").forEach((text) => text.setAttribute("x", middle(Number(text.dataset.at), 1)[0]));
      board.querySelectorAll(".rank").forEach((text) => text.setAttribute("y", middle(1, Number(text.dataset.at))[1] + 1.5));
    };

    const marked = (letter, where) =>
      where === "x" ? `(${letter})` : where === "r" ? `[${letter}]` : where.endsWith("+") ? `${letter}+` : letter;

    const drawSheets = () => {
      const frame = eyes.frames[step];
      const before = step ? eyes.frames[step - 1] : null;
      const [places, types] = [lists[frame[0]], lists[frame[1]]];
      sheets.forEach(({ side, left, plural, rows }) => {
        const sheet = lists[frame[2 + side]];
        const earlier = before ? lists[before[2 + side]] : sheet;
        left.textContent = Number(sheet[0]).toLocaleString("en");
        plural.textContent = sheet[0] === "1" ? "" : "s";
        rows.forEach((row, line) => {
          const place = owners.findIndex((each) => each[0] === side) + line;
          const [open, was] = [parseInt(sheet[line + 1], 16), parseInt(earlier[line + 1], 16)];
          row.className = open & (open - 1) ? "" : "known";
          row.cells[0].textContent = marked(owners[place][1], places[place + 1]);
          game.signs.forEach((sign, kind) => {
            const [can, could] = [(open >> kind) & 1, (was >> kind) & 1];
            const cell = row.cells[kind + 1];
            const now = could && !can;
            cell.textContent = can || now ? sign : "·";
            cell.className = `${can ? "open" : now ? "out now" : "out"}${Number(types[place]) === kind + 1 ? " true" : ""}`;
          });
        });
      });
    };

    const go = (where, { noted = true } = {}) => {
      step = Math.max(0, Math.min(last, where));
      board.classList.toggle("moving", noted);
      drawBoard();
      if (sheets.length) drawSheets();
      const [key, , words] = game.steps[step];
      said.textContent = words;
      slider.value = step;
      slider.setAttribute("aria-valuetext", words);
      buttons.first.disabled = buttons.back.disabled = step === 0;
      buttons.last.disabled = buttons.on.disabled = step === last;
      links.forEach((link) => {
        const here = link.dataset.key === key;
        link.classList.toggle("here", here);
        if (!here) return link.removeAttribute("aria-current");
        link.setAttribute("aria-current", "step");
        const row = link.closest("tr");
        if (row.offsetTop < list.scrollTop + 40 || row.offsetTop > list.scrollTop + list.clientHeight - 40)
          list.scrollTop = row.offsetTop - list.clientHeight / 2;
      });
      if (noted && decodeURIComponent(location.hash) !== `#${key}`) history.replaceState(null, "", `#${key}`);
    };

    const named = (name) => {
      const exact = game.steps.findIndex(([key]) => key === name);
      return exact >= 0 || !/^\d+$/.test(name) ? exact : game.steps.findLastIndex(([, turn]) => turn === Number(name));
    };
    const follow = () => {
      const found = named(decodeURIComponent(location.hash.slice(1)));
      if (found < 0) return false;
      go(found, { noted: false });
      board.scrollIntoView({ block: "nearest" });
      return true;
    };
    const moves = { first: () => 0, back: () => step - 1, on: () => step + 1, last: () => last };

    Object.entries(buttons).forEach(([name, button]) => button.addEventListener("click", () => go(moves[name]())));
    slider.addEventListener("input", () => go(Number(slider.value)));
    document.querySelectorAll("[name=eyes]").forEach((choice) =>
      choice.addEventListener("change", () => {
        eyes = game.eyes[Number(choice.value)];
        go(step, { noted: false });
      }),
    );
    document.addEventListener("keydown", (event) => {
      const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
      const typing = event.target.closest("input, textarea, select");
      if (!name || typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(moves[name]());
    });
    let touched = null;
    board.addEventListener("touchstart", (event) => {
      touched = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
    }, { passive: true });
    board.addEventListener("touchend", (event) => {
      if (!touched) return;
      const [across, down] = [event.changedTouches[0].clientX - touched[0], event.changedTouches[0].clientY - touched[1]];
      touched = null;
      if (Math.abs(across) > 30 && Math.abs(across) > 2 * Math.abs(down)) go(across < 0 ? step + 1 : step - 1);
    });
    window.addEventListener("hashchange", follow);

    document.querySelector(".controls").hidden = false;
    if (!follow()) go(last, { noted: false });
  };

  // --- looking for games, players and events --------------------------------------------------------------------

  const MOST = 100;

  const search = (index) => {
    const [field, found, plain, count] = [$("wanted"), $("found"), $("plain"), $("count")];
    const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const people = new Map(index.people);
    const events = new Map(index.events);
    const named = (who) => (typeof who === "number" ? people.get(who) : who);
    const games = index.games.map((game) => {
      const [number, day, players, event, result, title] = game;
      return [folded([`${title} ${number}`, day, ...players.map(named), events.get(event) || "", result].join(" ")), game];
    });
    const others = [
      ...index.events.map(([number, name]) => [folded(name), `events/${number}.html`, name, "event"]),
      ...index.people.map(([number, name]) => [folded(name), `players/${number}.html`, name, "player"]),
    ];
    const link = (href, text) => {
      const a = made("a", undefined, { href });
      a.append(made("bdi", text));
      return a;
    };
    const under = (...inside) => {
      const line = made("span", undefined, { className: "under" });
      line.append(...inside);
      return line;
    };
    const gameLine = ([number, day, players, event, result, title]) => {
      const row = made("tr");
      const cells = Array.from({ length: 3 }, () => row.insertCell());
      cells[0].append(link(`games/${number}.html`, `${title} ${number}`), under(day));
      players.forEach((who, place) => {
        if (place) cells[1].append(" – ");
        cells[1].append(typeof who === "number" ? link(`players/${who}.html`, people.get(who)) : made("bdi", who));
      });
      if (event) cells[1].append(under(link(`events/${event}.html`, events.get(event))));
      cells[2].textContent = result;
      return row;
    };
    const look = () => {
      const words = folded(field.value).split(/\s+/).filter(Boolean);
      const has = (text) => words.every((word) => text.includes(word));
      plain.hidden = words.length > 0;
      found.hidden = !words.length;
      found.replaceChildren();
      if (!words.length) {
        count.textContent = "";
        return;
      }
      const hits = games.filter(([text]) => has(text));
      const named = others.filter(([text]) => has(text));
      count.textContent = `${hits.length} game${hits.length === 1 ? "" : "s"}, ${named.length} player${named.length === 1 ? "" : "s"} and events`;
      if (named.length) {
        const list = made("ul");
        named.slice(0, MOST).forEach(([, href, name, what]) => {
          const item = made("li");
          item.append(link(href, name), ` (${what})`);
          list.append(item);
        });
        found.append(list);
      }
      if (hits.length) {
        const around = made("div", undefined, { className: "wide", tabIndex: 0 });
        around.setAttribute("role", "region");
        around.setAttribute("aria-label", "Games that were found");
        const table = made("table", undefined, { className: "games" });
        const head = table.createTHead().insertRow();
        ["Game", "Players", "Result"].forEach((text) => head.append(made("th", text, { scope: "col" })));
        const body = table.createTBody();
        hits.slice(0, MOST).forEach(([, game]) => body.append(gameLine(game)));
        around.append(table);
        found.append(around);
        if (hits.length > MOST) found.append(made("p", `${hits.length - MOST} more are left out: say more of what you look for.`));
      }
    };
    field.addEventListener("input", look);
    document.querySelector(".looking").hidden = false;
    look(); // a browser that goes back has kept what was typed
  };

  const game = read("game");
  if (game) play(game);
  const index = read("index");
  if (index) search(index);
})();
