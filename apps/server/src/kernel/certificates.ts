import { X509Certificate } from 'node:crypto'

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Whether a PEM text holds certificates, all of which can be read. */
export function isCertificates(pem: string): boolean {
  const found = pem.match(certificate) ?? []
  try {
    return found.map((one) => new X509Certificate(one)).length > 0
  } catch {
    return false
  }
}
