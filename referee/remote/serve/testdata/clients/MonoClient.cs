// Plays one match with a client that Mono's wsdl or, with SVCUTIL defined, its
// svcutil makes from the description of the service.
//
//   mono MonoClient.exe SERVICE 1.1|1.2 KEY
using System;
#if SVCUTIL
using System.ServiceModel;
using System.ServiceModel.Channels;
using System.Text;
using umpire.v1;
#endif

static class MonoClient
{
#if SVCUTIL
    static UmpireSoapClient Open(string address, string version)
    {
        MessageVersion message = version == "1.2"
            ? MessageVersion.CreateVersion(EnvelopeVersion.Soap12, AddressingVersion.None) : MessageVersion.Soap11;
        var binding = new CustomBinding(new TextMessageEncodingBindingElement(message, Encoding.UTF8), new HttpTransportBindingElement());
        return new UmpireSoapClient(binding, new EndpointAddress(address));
    }
#else
    // The version is that for which the class was made.
    static Umpire Open(string address, string version)
    {
        return new Umpire { Url = address };
    }
#endif

    static void Show(TurnInfo info)
    {
        Console.WriteLine("{0} {1} {2} {3} {4}", info.turn, info.state, string.Join(",", info.lines), info.reply ?? "-", info.verdict);
    }

    static void Main(string[] args)
    {
        var service = Open(args[0], args[1]);
        SeatInfo seat = service.Join(args[2], null, null, 30);
        Console.WriteLine("{0} {1} {2} of {3} {4} {5}", seat.state, seat.game, seat.seat, seat.seats, string.Join(",", seat.players), seat.timeMs);
        TurnInfo info = service.NextTurn(seat.ticket, 1, 30);
        while (info.state == "move")
        {
            Show(info);
            int turn = info.turn;
            for (int i = 0; i < 2; i++)
                info = service.Reply(seat.ticket, turn, "2", 30);
        }
        Show(info);
        foreach (Result r in info.results)
            Console.WriteLine("{0} {1} {2} {3} {4} {5}", r.seat, r.player, r.score, r.place, r.verdict, r.detail);
        Show(service.NextTurn(seat.ticket, 1, 0));
        service.Leave(seat.ticket);
        try
        {
            service.Join(args[2], "<a&b>", null, 0);
        }
        catch (Exception e)
        {
            Console.WriteLine("fault {0}", e.Message);
        }
    }
}
