// A remote player for umpire in C#, over SOAP. It plays vmukni; for another game
// change Choose(). It writes its envelopes itself, so that a compiler is all it
// needs; `wsdl`, `svcutil` and Visual Studio make a class from URL/soap?wsdl.
//
//   mcs Client.cs
//   UMPIRE_KEY=the-key-umpire-printed mono Client.exe http://127.0.0.1:8370 [MATCHES]
using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Xml;

class Client
{
    const string Namespace = "urn:umpire:v1";
    static string service;

    // YOUR STRATEGY: the reply to the lines sent since your last turn. Here: each way in turn.
    static string Choose(string game, int turn, List<string> lines)
    {
        return (1 + turn * 4 % 15).ToString();
    }

    // Calls an operation with arguments NAME, VALUE, ... and returns its result.
    static XmlElement Call(string operation, params string[] arguments)
    {
        var body = new StringBuilder();
        using (XmlWriter w = XmlWriter.Create(body, new XmlWriterSettings { OmitXmlDeclaration = true }))
        {
            w.WriteStartElement("s", "Envelope", "http://schemas.xmlsoap.org/soap/envelope/");
            w.WriteStartElement("s", "Body", "http://schemas.xmlsoap.org/soap/envelope/");
            w.WriteStartElement(operation, Namespace);
            for (int i = 0; i < arguments.Length; i += 2)
                w.WriteElementString(arguments[i], Namespace, arguments[i + 1]);
        }
        var request = (HttpWebRequest)WebRequest.Create(service);
        request.Method = "POST";
        request.ContentType = "text/xml; charset=utf-8";
        request.Timeout = 60000;
        request.Headers["SOAPAction"] = "\"" + Namespace + "/" + operation + "\"";
        byte[] bytes = new UTF8Encoding(false).GetBytes(body.ToString());
        using (Stream s = request.GetRequestStream()) s.Write(bytes, 0, bytes.Length);
        var answer = new XmlDocument { XmlResolver = null };
        using (WebResponse response = request.GetResponse()) answer.Load(response.GetResponseStream());
        return (XmlElement)answer.GetElementsByTagName(operation + "Result", Namespace)[0];
    }

    // Calls an operation until it is answered: every request may be repeated. It
    // returns null if umpire was started again: the match does not count.
    static XmlElement Ask(string operation, params string[] arguments)
    {
        while (true)
        {
            try
            {
                return Call(operation, arguments);
            }
            catch (WebException e)
            {
                string fault = "";
                if (e.Response != null)
                    using (var reader = new StreamReader(e.Response.GetResponseStream())) fault = reader.ReadToEnd();
                Match code = Regex.Match(fault, "<faultstring>([a-z]+):|\"code\":\"([a-z]+)\"");
                string problem = code.Groups[1].Value + code.Groups[2].Value;
                if (problem == "ticket") return null;
                if (problem != "" && Array.IndexOf(new[] { "rate", "full", "slow", "stopping" }, problem) < 0)
                {
                    Console.Error.WriteLine(fault);
                    Environment.Exit(1);
                }
                Console.Error.WriteLine("no answer, trying again: " + e.Message);
            }
            catch (Exception e) when (e is IOException || e is XmlException)
            {
                Console.Error.WriteLine("the answer broke off, trying again: " + e.Message);
            }
            Thread.Sleep(1000);
        }
    }

    static string Text(XmlElement parent, string name)
    {
        XmlElement child = parent[name, Namespace];
        return child == null ? null : child.InnerText;
    }

    static XmlElement Play(XmlElement seat)
    {
        string ticket = Text(seat, "ticket");
        int turn = 1;
        XmlElement answer = Ask("NextTurn", "ticket", ticket, "turn", "1", "wait", "30");
        while (answer != null && Text(answer, "state") != "over" && Text(answer, "state") != "void")
        {
            if (Text(answer, "state") == "wait")
            {
                answer = Ask("NextTurn", "ticket", ticket, "turn", turn.ToString(), "wait", "30");
                continue;
            }
            var lines = new List<string>();
            foreach (XmlElement line in answer["lines", Namespace]) lines.Add(line.InnerText);
            // In the state "done" this program was started again: it reads what it replied.
            string reply = Text(answer, "reply") ?? Choose(Text(seat, "game"), turn, lines);
            answer = Ask("Reply", "ticket", ticket, "turn", turn.ToString(), "text", reply, "wait", "30");
            turn++;
        }
        return answer;
    }

    static void Main(string[] args)
    {
        service = args[0].TrimEnd('/') + "/soap";
        string key = Environment.GetEnvironmentVariable("UMPIRE_KEY") ?? "";
        int matches = args.Length > 1 ? int.Parse(args[1]) : 1;
        while (matches > 0)
        {
            XmlElement seat = Ask("Join", "key", key, "wait", "30");
            if (Text(seat, "state") == "wait") continue;
            XmlElement end = Play(seat);
            if (end == null) continue;
            foreach (XmlElement r in end["results", Namespace])
                Console.WriteLine("seat {0} {1}: {2}, score {3}, place {4}",
                    Text(r, "seat"), Text(r, "player"), Text(r, "verdict"), Text(r, "score"), Text(r, "place"));
            if (Text(end, "state") == "over") matches--; // a void match is played again
        }
        Environment.Exit(0); // Mono may wait a minute for its idle connection before it ends by itself
    }
}
