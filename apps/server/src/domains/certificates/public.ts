export { type CertifiedHost, certificateOf, mustCertify, mustOwnHosts, useCertificates } from './use.service.ts'
