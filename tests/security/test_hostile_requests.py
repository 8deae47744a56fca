"""Attacks of one guest on headers and connections. A scribe beside the guest goes on writing and loses nothing."""

import threading

from tests.security.conftest import Guest, Scribe, answer, flood, read_until, status

HALF = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Half: "
REST = b"whole\r\nConnection: close\r\n\r\n"


def headers_of(size: int) -> bytes:
    """Return a request whose head has this many bytes, in many headers."""
    end = b"X-Last: %s\r\nConnection: close\r\n\r\n"
    begin = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"X-More: 0123456789\r\n" * 1000
    return begin + end % (b"x" * (size - len(begin) - len(end) + 2))


def test_headers_may_have_32_kilobytes(guest: Guest) -> None:
    assert status(answer(guest.send(headers_of(31_999)))) == 200


def test_larger_headers_are_refused_with_a_sentence(guest: Guest, scribe: Scribe) -> None:
    answered = answer(guest.send(headers_of(33_000)))
    assert status(answered) == 431
    assert "Der Kopf der Anfrage ist zu groß." in answered.decode()
    scribe.write()


def test_a_header_of_120_megabytes_is_cut_off(guest: Guest, scribe: Scribe) -> None:
    connection = guest.send(HALF)
    flooding = threading.Thread(target=flood, args=[connection, b"x" * 1_000_000, 120_000_000])
    flooding.start()
    scribe.write()
    flooding.join()
    assert flood(guest.send(HALF), b"x" * 1_000_000, 120_000_000) < 120_000_000


def test_the_headers_of_a_second_request_are_limited_too(guest: Guest) -> None:
    """Not those of all requests of a connection together: the control."""
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-More: " + b"x" * 20_000 + b"\r\n\r\n"
    connection = guest.connect()
    for _ in range(3):
        connection.sendall(request)
        assert read_until(connection, b"ok\n").startswith(b"HTTP/1.1 200")
    connection.sendall(headers_of(40_000))
    assert status(answer(connection)) == 431


def test_half_headers_are_given_up_and_occupy_nothing(guest: Guest, scribe: Scribe) -> None:
    halves = [guest.send(HALF) for _ in range(18)]
    silent = guest.connect()
    scribe.write()
    for half in halves:
        answered = answer(half)
        assert status(answered) == 408
        assert "Die Anfrage kam nicht vollständig an." in answered.decode()
    assert answer(silent) == b""
    assert status(answer(guest.send(HALF + REST))) == 200


def test_half_headers_on_a_connection_that_was_used_are_given_up_too(guest: Guest) -> None:
    connection = guest.send(HALF + b"whole\r\n\r\n")
    read_until(connection, b"ok\n")
    connection.sendall(HALF)
    assert status(answer(connection)) == 408
    empty_lines = guest.send(HALF + b"whole\r\n\r\n")
    read_until(empty_lines, b"ok\n")
    empty_lines.sendall(b"\r\n")
    assert answer(empty_lines) == b""


def test_headers_in_two_parts_are_a_request(guest: Guest) -> None:
    connection = guest.send(HALF)
    connection.sendall(REST)
    assert status(answer(connection)) == 200


def test_an_event_stream_outlives_the_time_for_headers(guest: Guest, scribe: Scribe) -> None:
    stream = guest.send(f"GET /t/{scribe.slug}/live HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert b"everything" in read_until(stream, b'"topics"')
    half = guest.send(HALF)
    assert status(answer(half)) == 408
    scribe.write()
    assert b"data: " in read_until(stream, b'"sheet"')


def test_an_address_has_20_connections(guest: Guest, scribe: Scribe) -> None:
    for _ in range(20):
        assert guest.send(HALF)
    answered = answer(guest.send(HALF + REST))
    assert status(answered) == 429
    assert "zu viele Verbindungen" in answered.decode()
    scribe.write()
    assert status(answer(guest.send(HALF + REST, "127.0.0.10"))) == 200


def test_this_computer_has_more_connections_as_a_proxy_has_to(guest: Guest) -> None:
    connections = [guest.send(HALF, "127.0.0.1") for _ in range(30)]
    for connection in connections:
        connection.sendall(REST)
    assert {status(answer(connection)) for connection in connections} == {200}
