// A remote player for umpire in JavaScript (Node.js 18 or later), without any
// package. It plays vmukni; for another game change choose().
//
//   UMPIRE_KEY=the-key-umpire-printed node client.js http://127.0.0.1:8370 [MATCHES]
const [, , url, matches = "1"] = process.argv;

/** YOUR STRATEGY: the reply to the lines sent since your last turn. Here: each way in turn. */
function choose(game, turn, lines) {
  return String(1 + ((turn * 11) % 15));
}

/** Makes a request, and repeats it until it is answered: every request may be repeated. */
async function request(method, path, secret, body) {
  for (;;) {
    try {
      const answer = await fetch(url.replace(/\/$/, "") + "/api/v1/" + path, {
        method,
        headers: { Authorization: "Bearer " + secret, "Content-Type": "application/json" },
        body: body && JSON.stringify(body),
      });
      const result = await answer.json();
      if (answer.ok) return result;
      const { code, message } = result.error;
      // umpire was started again: the match does not count
      if (code === "ticket") return { state: "void", verdict: "", detail: message };
      if (!["rate", "full", "slow", "stopping"].includes(code)) {
        console.error(`${code}: ${message}`);
        process.exit(1);
      }
      console.error(message + ", trying again");
    } catch (e) {
      console.error("no answer, trying again:", e.message);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function play(seat) {
  let turn = 1;
  let answer = await request("GET", "seat/turns/1?wait=30", seat.ticket);
  while (answer.state !== "over" && answer.state !== "void") {
    if (answer.state === "wait") {
      answer = await request("GET", `seat/turns/${turn}?wait=30`, seat.ticket);
      continue;
    }
    // In the state "done" this program was started again: it reads what it replied.
    const reply = answer.reply ?? choose(seat.game, turn, answer.lines);
    answer = await request("PUT", `seat/turns/${turn}?wait=30`, seat.ticket, { reply });
    turn++;
  }
  return answer;
}

async function main() {
  for (let left = Number(matches); left > 0; ) {
    const seat = await request("POST", "join", process.env.UMPIRE_KEY, { wait: 30 });
    if (seat.state === "wait") continue;
    const end = await play(seat);
    console.log(end.state, end.verdict, JSON.stringify(end.results ?? end.detail));
    if (end.state === "over") left--; // a void match is played again
  }
}

main();
