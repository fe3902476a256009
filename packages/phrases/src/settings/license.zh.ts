import type { en } from './license.en.ts'

export const zh = {
  'license-no-issuer': '当前安装不使用许可证，也无需许可证。如需签发许可证，请先在服务器上设置 GANTRY_LICENSE_KEY。',
  'license-malformed': '这不是有效的许可证。请完整粘贴签发方提供的文本：由点号分隔的三段内容。',
  'license-issuer': '该许可证由其他签发方签发。请向当前安装的签发方申请许可证，或检查服务器上的 GANTRY_LICENSE_KEY。',
  'license-signature': '签名不匹配：许可证已被修改或未完整复制。请重新粘贴，或向签发方申请新的许可证。',
  'license-early': '该许可证自 {time} 起生效。请检查服务器时间，或届时再录入。',
  'license-over': '该许可证已于 {time} 过期，请向签发方申请新的许可证。',
  'license-key-kind': '该文件中的密钥类型不符：需要 Ed25519 私钥',
  'license-command-usage':
    '用法：npm run admin -- license key <新文件>，或 npm run admin -- license sign <私钥文件> <持有方> <YYYY-MM-DD> [备注] [限额=值]',
  'license-command-file': '{file}：{reason}',
  'license-command-date': '“{until}”不是有效日期：请使用 YYYY-MM-DD 格式',
  'license-command-key':
    '私钥 {id} 已保存到 {file}，请妥善保管。\n服务器设置 GANTRY_LICENSE_KEY={key} 后即接受其签发的许可证',

  // Screen
  'license-ui-tab': '许可证',
  'license-ui-about':
    'Gantry 以 Apache-2.0 协议开源，无需许可证。分发或运营方可以为安装签发许可证；过期后会提示所有用户，但不会停用任何功能。',
  'license-ui-none-needed': '当前安装不使用许可证，功能完整可用。',
  'license-ui-none': '尚未录入许可证。',
  'license-ui-state': '状态',
  'license-ui-valid': '有效',
  'license-ui-expiring': '即将到期',
  'license-ui-expired': '已过期',
  'license-ui-holder': '持有方',
  'license-ui-issued': '签发时间',
  'license-ui-expires': '到期时间',
  'license-ui-notes': '备注',
  'license-ui-issuer': '签发方密钥',
  'license-ui-text': '新许可证',
  'license-ui-text-help': '签发方提供的文本。验证通过后才会替换当前许可证。',
  'license-ui-remove': '移除许可证',
  'license-ui-remove-title': '要移除“{holder}”的许可证吗？',
  'license-ui-remove-memo': '移除后不再提示到期，其他功能不受影响。',
} satisfies Record<keyof typeof en, string>
