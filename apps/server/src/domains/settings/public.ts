export { publicUrl } from './host.service.ts'
export { sendMail, sendMailToAdministrators } from './outbox.service.ts'
