export type Language = 'en' | 'zh'

export type Bundle = Readonly<Record<string, string>>

/**
 * Loads the texts of a part of the console in one language. This version has all texts in every part; a build replaces
 * this file by one that loads each part separately (words.ts beside the configuration).
 */
export async function loadWords(language: Language, _part: string): Promise<Bundle> {
  return language === 'zh' ? (await import('@gantry/phrases/zh.gen')).zh : (await import('@gantry/phrases/en.gen')).en
}
