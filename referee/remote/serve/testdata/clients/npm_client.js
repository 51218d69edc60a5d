// Plays one match with a client that npm's soap makes from the description of
// the service.
//
//   node npm_client.js DESCRIPTION 1.1|1.2 KEY
const soap = require("soap");

const [description, version, key] = process.argv.slice(2);

function show(info) {
  const lines = [].concat((info.lines && info.lines.line) ?? []);
  console.log(info.turn, info.state, lines.join(","), info.reply ?? "-", info.verdict);
}

async function main() {
  const twelve = version === "1.2";
  const client = await soap.createClientAsync(description, { forceSoap12Headers: twelve });
  const port = client.Umpire[twelve ? "UmpireSoap12" : "UmpireSoap"];
  const call = (operation, args) =>
    new Promise((resolve, reject) =>
      port[operation](args, (err, result) => (err ? reject(err) : resolve(result && result[operation + "Result"]))));

  const seat = await call("Join", { key, wait: 30 });
  console.log(seat.state, seat.game, seat.seat, "of", seat.seats, seat.players.player.join(","), seat.timeMs);
  const ticket = seat.ticket;
  let info = await call("NextTurn", { ticket, turn: 1, wait: 30 });
  while (info.state === "move") {
    show(info);
    const { turn } = info;
    for (let i = 0; i < 2; i++)
      info = await call("Reply", { ticket, turn, text: "2", wait: 30 });
  }
  show(info);
  for (const r of [].concat(info.results.result))
    console.log(r.seat, r.player, r.score, r.place, r.verdict, r.detail ?? "");
  show(await call("NextTurn", { ticket, turn: 1, wait: 0 }));
  await call("Leave", { ticket });
  try {
    await call("Join", { key, game: "<a&b>", wait: 0 });
  } catch (e) {
    const fault = e.root.Envelope.Body.Fault;
    console.log("fault", fault.faultstring ?? fault.Reason.Text.$value ?? fault.Reason.Text);
  }
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
