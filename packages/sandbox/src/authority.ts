/**
 * The certificate of an authority whose key was discarded: clients that want the cluster's authority get a readable
 * one, with which nothing can be signed. The sandbox itself speaks no TLS.
 */
export const authority = `-----BEGIN CERTIFICATE-----
MIIBfTCCASOgAwIBAgIBATAKBggqhkjOPQQDAjAlMSMwIQYDVQQDDBpnYW50cnkt
c2FuZGJveCAoc2ltdWxhdGVkKTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAw
MDAwMFowJTEjMCEGA1UEAwwaZ2FudHJ5LXNhbmRib3ggKHNpbXVsYXRlZCkwWTAT
BgcqhkjOPQIBBggqhkjOPQMBBwNCAAQT2VtAbWw3Ft2/UBUn33gMb30drC2TUUJB
LluKst5BCbVo0lcs9s1RDC+qJgNzbDGBQvmTcod73LevchB69OUfo0IwQDAPBgNV
HRMBAf8EBTADAQH/MB0GA1UdDgQWBBS1Hf6qRFNHG60Ff+K5KfIJTITgMDAOBgNV
HQ8BAf8EBAMCAQYwCgYIKoZIzj0EAwIDSAAwRQIgaN1Y+mVu3xDV+w+5dppzdEqb
pC74zEByLt/SB3RvOwsCIQC9MxEsIsu4YpcVl0Z6IpHqCfguTbP9Lc95mD41f7/i
mg==
-----END CERTIFICATE-----
`
