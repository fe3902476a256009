import type { en } from './en.ts'

export const zh = {
  'oauth-claim': '声明名称只能包含字母、数字以及 _ . : / -',
  'oauth-client-required': '请输入身份提供方分配给本系统的客户端 ID',
  'oauth-secret-again': '已保存的客户端密钥属于另一个签发者，不会发送给当前签发者。请输入当前签发者的密钥',

  'oauth-off': 'OAuth 登录未启用。请使用其他方式登录，或请管理员启用',
  'oauth-unavailable': '暂时无法使用 OAuth 登录：{problem}',
  'oauth-state': '本次登录不是在此浏览器中发起的，或已超过十分钟，或已被使用。请从登录页重新开始',
  'oauth-code-refused': '身份提供方不再接受本次登录：授权码已被使用或已过期。请从登录页重新开始',
  'oauth-client-refused': '身份提供方拒绝了本系统：客户端 ID 或客户端密钥有误。管理员可在 OAuth 设置中更正',
  'oauth-provider-says': '身份提供方拒绝了登录：{problem}',
  'oauth-no-provider':
    '{issuer} 上没有可用的 OpenID Connect 身份提供方。请检查签发者地址：应为提供 /.well-known/openid-configuration 的地址',
  'oauth-issuer-differs': '{issuer} 上的身份提供方自称为 {found}。请完全按此填写签发者',
  'oauth-answer': '身份提供方的应答缺少 OpenID Connect 规定的内容，或不可信任。具体原因见服务器日志',
  'oauth-token-nonce': '身份提供方的应答属于另一次登录。请从登录页重新开始',
  'oauth-token-time': '身份提供方的应答已过期或尚未生效。身份提供方与本服务器的时钟相差超过一分钟，请管理员校准时间',
  'oauth-token-claim': '身份提供方的应答不是发给本系统的：其中的“{claim}”与预期不符。请管理员检查签发者和客户端 ID',
  'oauth-token-key': '身份提供方的应答使用了未公布的密钥签名。如果对方刚刚更换密钥，请一分钟后重试',
  'oauth-token-signature': '身份提供方应答的签名有误。请从登录页重新开始',
  'oauth-logout-token': '这不是发给本系统的注销令牌，或该令牌已被使用',
} satisfies Record<keyof typeof en, string>
