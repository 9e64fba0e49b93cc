"""The addresses of a machine with real interfaces, links and tunnels of Linux; the ports that Node.js refuses."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from gtp_capture.util.network import REFUSED_PORTS, Address, ordered, url

from ..support.networks import Machine
from ..support.process import HANG

ASK = """
import json
from gtp_capture.util.network import lan_addresses
print(json.dumps([[address.network, address.text] for address in lan_addresses()]))
"""
WIFI, CABLE = Address("192.168.1.20", "wlan0"), Address("10.0.0.7", "eth0")
VPN, ALONE = Address("10.8.0.2", "tun0", is_tunnel=True), Address("169.254.7.7", "eth1")
LOCAL = Address("127.0.0.1", "lo")
SIX, SECOND = Address("2001:db8:5::7", "wlan0"), Address("2001:db8:5::8", "wlan0")
CABLE_SIX, ZONE = Address("fd00::7", "eth0"), Address("fe80::7%wlan0", "wlan0")
UNLED = Address("169.254.9.9", "wlan0")
PORTS = """
const refused = [];
for (let port = 1; port < 11000; port++) {
  const unsent = { dispatch() { throw new Error("allowed"); } };
  const found = await fetch(`http://127.0.0.1:${port}/`, { dispatcher: unsent }).catch(({ cause }) => cause.message);
  if (found !== "allowed") refused.push(port);
}
console.log(JSON.stringify(refused));
"""


@pytest.mark.parametrize(
    ("addresses", "defaults", "expected"),
    [
        ([LOCAL], [], []),
        ([LOCAL, WIFI], ["192.168.1.20"], [WIFI]),
        ([LOCAL, Address("192.168.137.1", "hotspot")], [], [Address("192.168.137.1", "hotspot")]),
        ([VPN, LOCAL, WIFI], ["10.8.0.2"], [WIFI, VPN]),
        ([VPN], ["10.8.0.2"], [VPN]),
        ([WIFI, CABLE], ["10.0.0.7"], [CABLE, WIFI]),
        ([WIFI, CABLE], [], [WIFI, CABLE]),
        ([ALONE, VPN, WIFI], [], [WIFI, VPN, ALONE]),
        ([Address("127.0.1.1", "lo"), Address("0.0.0.0", "down"), Address("::1", "lo"), Address("::", "x")], [], []),
        ([ZONE], [], []),
        ([ZONE, SIX, SECOND], [], [SIX]),
        ([SIX, SECOND], [SECOND.text], [SECOND]),
        ([SIX, WIFI], [SIX.text], [WIFI]),
        ([UNLED, SIX], [SIX.text], [SIX, UNLED]),
        ([Address("172.17.0.1", "docker0"), SIX, VPN], [SIX.text], [SIX, Address("172.17.0.1", "docker0"), VPN]),
        ([CABLE_SIX, WIFI], [CABLE_SIX.text, WIFI.text], [WIFI, CABLE_SIX]),
    ],
)
def test_the_address_that_devices_can_probably_open_comes_first(
    addresses: list[Address], defaults: list[str], expected: list[Address]
) -> None:
    assert ordered(addresses, defaults) == expected


@pytest.mark.parametrize(
    ("address", "opened"),
    [
        ("10.0.0.7", "http://10.0.0.7:80"),
        ("2001:db8::7", "http://[2001:db8::7]:80"),
        ("::ffff:10.0.0.7", "http://10.0.0.7:80"),
    ],
)
def test_an_address_of_ipv6_is_opened_in_brackets(address: str, opened: str) -> None:
    assert url(address, 80) == opened


def networks(machine: Machine) -> list[list[str]]:
    """Return the networks and the addresses that a machine finds."""
    answer: list[list[str]] = json.loads(machine.run(sys.executable, "-c", ASK))
    return answer


@pytest.mark.slow
@pytest.mark.linux
def test_each_address_of_real_interfaces_is_found() -> None:
    with Machine() as machine:
        assert networks(machine) == []
        with machine.device("hotspot", "192.168.137.1/24", "192.168.137.7/24"):
            hotspot = ["hotspot", "192.168.137.1"]
            assert networks(machine) == [hotspot]
            machine.tunnel("tun0", "10.8.0.2/24")
            machine.run("ip", "route", "add", "default", "dev", "tun0")
            assert networks(machine) == [hotspot, ["tun0", "10.8.0.2"]], "the route of a VPN hides no network"
            with machine.device("eth0", "10.0.0.7/16", "10.0.0.1/16"):
                assert networks(machine) == [hotspot, ["eth0", "10.0.0.7"], ["tun0", "10.8.0.2"]]
                machine.run("ip", "route", "replace", "default", "via", "10.0.0.1")
                assert networks(machine) == [["eth0", "10.0.0.7"], hotspot, ["tun0", "10.8.0.2"]]
                machine.run("ip", "link", "set", "eth0", "down")
                assert networks(machine) == [hotspot, ["tun0", "10.8.0.2"]]


@pytest.mark.slow
@pytest.mark.linux
def test_a_network_without_ipv4_is_named_by_an_address_of_ipv6() -> None:
    with Machine() as machine, machine.device("wlan0", "2001:db8:5::7/64", "2001:db8:5::9/64"):
        assert networks(machine) == [["wlan0", "2001:db8:5::7"]]
        machine.run("ip", "address", "add", "2001:db8:5::3/64", "dev", "wlan0", "nodad")
        machine.run("ip", "route", "add", "default", "via", "2001:db8:5::9", "src", "2001:db8:5::3")
        assert networks(machine) == [["wlan0", "2001:db8:5::3"]], "the address of the default route"
        machine.run("ip", "address", "add", "169.254.3.3/16", "dev", "wlan0")
        assert networks(machine) == [["wlan0", "2001:db8:5::3"], ["wlan0", "169.254.3.3"]]
        machine.run("ip", "address", "add", "10.0.0.7/16", "dev", "wlan0")
        assert networks(machine) == [["wlan0", "10.0.0.7"], ["wlan0", "169.254.3.3"]]


@pytest.mark.external
@pytest.mark.slow
def test_the_refused_ports_are_those_of_the_standard(node: str) -> None:
    done = subprocess.run([node, "--input-type=module", "-e", PORTS], capture_output=True, timeout=HANG, check=True)
    assert {*json.loads(done.stdout)} == REFUSED_PORTS  # of which the last one is 10080
