export { publicUrl } from './host.service.ts'
export { mailsAreSent } from './mail.service.ts'
export { licenseCommand } from './license.command.ts'
export { ownMails, sendMail, sendMailToAdministrators, sendOwnMail } from './outbox.service.ts'
