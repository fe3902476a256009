import type { en } from './en.ts'

export const zh = {
  'login-refused': '用户名或密码错误。密码连续多次输错后，账号将被锁定，需由管理员解锁',
  'login-unapproved': '该账号正在等待管理员审批',
  'login-not-imported': '该目录用户尚未导入，请联系管理员导入',
  'login-disabled': '该账号已被禁用，请联系管理员启用',
  'login-locked': '该账号因密码输错次数过多已被锁定，请联系管理员解锁',
  'login-inactive': '该账号已连续 {days} 天未登录，已被停用，请联系管理员解锁',
  'login-slowed': '您所在的地址登录失败次数过多，请等待 {seconds} 秒后重试',
  'login-busy': '当前登录人数过多，请稍等几秒后重试',

  'password-old-wrong': '当前密码错误。连续多次输错后，账号将被锁定',
  'password-same': '新密码与当前密码相同，请更换一个',
  'password-foreign':
    '只有用户本人可以修改该密码。如果密码遗失，管理员可在服务器上执行“npm run admin -- reset-password”进行重置',
  'password-elsewhere': '该账号通过 {type} 登录，请在对应系统中修改密码',

  'password-days': '密码有效期为 7 到 730 天之间的整数',
  'login-retries': '允许的密码输错次数为 3 到 10 之间的整数',

  'register-off': '本平台未开放注册，请联系管理员开通账号',
  'register-slowed': '您所在的地址提交注册过于频繁，请等待 {minutes} 分钟后重试',
  'register-full': '等待审批的注册申请过多，请联系管理员处理',

  'session-missing': '该会话已结束',

  'auth-provider-denied': '登录已在身份提供方处取消，或对方不允许您登录本系统',
  'auth-provider-says': '身份提供方拒绝了登录：{error}',
  'auth-oauth-with': '使用 {name} 登录',
  'auth-expired-title': '密码已过期',
  'auth-expired-memo': '您的密码已超过本平台规定的有效期。请点击下一步设置新密码，您的权限保持不变。',
  'auth-relogin-expired': '请先修改密码：离开此页，重新登录并修改；此处输入的内容将不会保留',
  'auth-password-again': '再次输入密码',
  'auth-register-approval': '随后由管理员审批，并将您加入团队。',
  'auth-registered-title': '还差一步',
  'auth-registered-memo': '账号已创建，正在等待管理员审批。审批通过后，即可使用您设置的密码登录。',

  'auth-sessions': '登录会话',
  'auth-sessions-about': '如有不认识的会话，请结束它，并修改密码。',
  'auth-sessions-none': '您没有在其他地方登录',
  'auth-sessions-end': '结束其他会话',
  'auth-sessions-end-title': '结束所有其他会话？',
  'auth-sessions-end-text': '当前会话保持登录，其他 {count} 个会话将立即结束，其打开的页面和终端也会断开。',
  'auth-sessions-ended': '其他会话均已结束',
  'auth-session-ended': '会话已结束',
  'auth-session-end': '结束',
  'auth-session-end-named': '结束“{name}”的会话',
  'auth-session-agent': '{system} 上的 {browser}',
  'auth-session-unknown': '未知浏览器',
  'auth-session-here': '当前会话',
  'auth-session-seen': '最近活动',
  'auth-session-since': '登录于',

  'auth-policy-days': '密码有效期',
  'auth-policy-days-help': '7 到 730 天。使用过期密码登录的用户必须先修改密码。',
  'auth-policy-days-unit': '天',
  'auth-policy-retries': '允许的密码输错次数',
  'auth-policy-retries-help': '连续 3 到 10 次。再输错一次，账号即被锁定，需由管理员解锁。',
  'auth-policy-retries-unit': '次',

  'rescue-usage': '用法：npm run admin -- {commands} <用户名或邮箱>，或 npm run admin -- {own}',
  'rescue-unknown': '用户 {name} 不存在',
  'rescue-ambiguous': '有 {count} 个用户名为 {name}，请改用邮箱',
  'rescue-not-local': '{name} 通过外部目录登录，请在对应系统中重置密码',
  'rescue-unbanned': '{name} 已可重新登录',
  'rescue-password': '{name} 的新密码为 {password}，下次登录时必须修改',
  'rescue-admin': '{name} 已成为管理员',
} satisfies Record<keyof typeof en, string>
