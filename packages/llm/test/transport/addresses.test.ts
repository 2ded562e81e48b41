import assert from "node:assert/strict"
import { test } from "node:test"
import { isNetworkAddress, isPublicAddress } from "../../src/transport/addresses.ts"

test("boundaries of every special IPv4 network", () => {
  const networks = `0.0.0.0-0.255.255.255 10.0.0.0-10.255.255.255 100.64.0.0-100.127.255.255 127.0.0.0-127.255.255.255
    169.254.0.0-169.254.255.255 172.16.0.0-172.31.255.255 192.0.0.0-192.0.0.255 192.0.2.0-192.0.2.255
    192.88.99.0-192.88.99.255 192.168.0.0-192.168.255.255 198.18.0.0-198.19.255.255 198.51.100.0-198.51.100.255
    203.0.113.0-203.0.113.255 224.0.0.0-255.255.255.255 168.63.129.16-168.63.129.16`
  for (const address of networks.split(/[\s-]+/)) assert.equal(isPublicAddress(address), false, address)
  const around = `1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
    169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.88.98.255 192.88.100.0
    192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
    223.255.255.255 168.63.129.15 168.63.129.17`
  for (const address of around.split(/\s+/)) assert.equal(isPublicAddress(address), true, address)
})

test("boundaries of public IPv6, and embedded IPv4 addresses", () => {
  const closed = `1fff:ffff::1 4000:: 2001:: 2001:1ff::1 2001:db8::1 3fff:: 3fff:fff::1 ::8 ::1 :: ::10.0.0.1
    1::ffff:8.8.8.8 1::8.8.8.8 0:0:0:1:0:ffff:808:808 64:ff9b:1::8.8.8.8 64:ff9c::8.8.8.8 65:ff9b::8.8.8.8
    ::ffff:168.63.129.16 64:ff9b::168.63.129.16 2002:a83f:8110:: 2002:a00:1::`
  for (const address of closed.split(/\s+/)) assert.equal(isPublicAddress(address), false, address)
  const open = `2000::1 2001:200::1 2001:db7::1 2001:db9::1 2003:: 2606:db8::1 3ffe:ffff::1 3fff:1000::1 ::8.8.8.8 ::ffff:8.8.8.8
    ::ffff:0:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::168.63.129.17 2002:a83f:8111:: 2002:808:808::1 2606::1.1.1.1`
  for (const address of open.split(/\s+/)) assert.equal(isPublicAddress(address), true, address)
})

test("an invalid address, or a part of one, is not public", () => {
  const forms = `2606:4700:0:0:0:0:1111 2606:4700:0:0:0:0:0:1:1 2606::4700:0:0:0:0:0:1 2606:4700::1::2 2606:47000::1 2606:g::1
    2606:4700::1x x2606:4700::1 2606:4700::12345 1.1.1 1.1.1.1.1 1.1.1.256 x1.1.1.1 1.1.1.1x 1.1.1.1000 1..1.1 : ::: 2606::1.1.1`
  for (const text of ["", ...forms.split(/\s+/)]) {
    assert.equal(isPublicAddress(text), false, text)
    assert.equal(isNetworkAddress(text), false, text)
  }
  for (const text of `2606:4700:0:0:0:0:0:1111 2606::4700:0:0:0:0:1 2606:4700::ABCD 1.1.1.255%x 2606::1%eth0`.split(
    /\s+/,
  ))
    assert.equal(isPublicAddress(text), true, text)
})

test("network addresses are all but this machine, link-local, multicast, unspecified, and cloud metadata", () => {
  const closed = `0.0.0.0 0.255.255.255 127.0.0.1 127.255.255.255 169.254.0.0 169.254.255.255 224.0.0.0 255.255.255.255
    100.100.100.200 192.0.0.192 168.63.129.16 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 fe80::1 febf::1 fe80::1%eth0 ff00::1 ff02::1
    fd00:ec2::254 fd20:ce::254 2002:7f00:1:: 127.0.0.1%x`
  for (const address of closed.split(/\s+/)) assert.equal(isNetworkAddress(address), false, address)
  const open = `1.0.0.0 10.0.0.1 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.16.0.1 192.168.1.1 223.255.255.255
    100.100.100.199 100.100.100.201 192.0.0.191 192.0.0.193 168.63.129.15 168.63.129.17 fe7f::1 fec0::1 feff::1 fd00::1
    fd00:ec2::253 fd00:ec2::1:254 fd20:ce::255 fd21:ce::254 ::ffff:10.0.0.1 2606::1`
  for (const address of open.split(/\s+/)) assert.equal(isNetworkAddress(address), true, address)
})
