/**
 * English names of languages and the ISO 639-1 code of each. Names that are also said of a country's people and
 * things (French, Thai) are `shared`: they need the words around them to be about language.
 */
export const sharedNames: Readonly<Record<string, string>> = {
  english: "en", german: "de", french: "fr", spanish: "es", italian: "it", portuguese: "pt", dutch: "nl", flemish: "nl",
  polish: "pl", czech: "cs", slovak: "sk", slovenian: "sl", slovene: "sl", croatian: "hr", serbian: "sr", bosnian: "bs",
  macedonian: "mk", bulgarian: "bg", romanian: "ro", hungarian: "hu", greek: "el", turkish: "tr", russian: "ru",
  ukrainian: "uk", belarusian: "be", lithuanian: "lt", latvian: "lv", estonian: "et", finnish: "fi", swedish: "sv",
  danish: "da", norwegian: "no", icelandic: "is", irish: "ga", welsh: "cy", scottish: "gd", breton: "br", basque: "eu",
  catalan: "ca", galician: "gl", maltese: "mt", albanian: "sq", armenian: "hy", georgian: "ka", azerbaijani: "az",
  persian: "fa", israeli: "he", japanese: "ja", chinese: "zh", korean: "ko", vietnamese: "vi", thai: "th", lao: "lo",
  khmer: "km", burmese: "my", indonesian: "id", malay: "ms", filipino: "tl", javanese: "jv", sundanese: "su",
  mongolian: "mn", tibetan: "bo", nepali: "ne", bengali: "bn", tamil: "ta", punjabi: "pa", kashmiri: "ks", sindhi: "sd",
  kurdish: "ku", turkmen: "tk", uzbek: "uz", kazakh: "kk", kyrgyz: "ky", tajik: "tg", uyghur: "ug", tatar: "tt",
  latin: "la", somali: "so", ethiopian: "am", maori: "mi", samoan: "sm", luxembourgish: "lb", afghan: "ps",
  brazilian: "pt",
};

/** Names that are said of languages only. */
export const pureNames: Readonly<Record<string, string>> = {
  hindi: "hi", urdu: "ur", bangla: "bn", telugu: "te", marathi: "mr", kannada: "kn", malayalam: "ml", gujarati: "gu",
  odia: "or", assamese: "as", sinhala: "si", sinhalese: "si", sanskrit: "sa", farsi: "fa", dari: "fa", pashto: "ps",
  arabic: "ar", hebrew: "he", yiddish: "yi", mandarin: "zh", cantonese: "zh", tagalog: "tl", castilian: "es",
  swahili: "sw", kiswahili: "sw", yoruba: "yo", hausa: "ha", igbo: "ig", zulu: "zu", isizulu: "zu", xhosa: "xh",
  afrikaans: "af", amharic: "am", tigrinya: "ti", oromo: "om", shona: "sn", sesotho: "st", tswana: "tn", kinyarwanda: "rw",
  lingala: "ln", wolof: "wo", luganda: "lg", malagasy: "mg", quechua: "qu", guarani: "gn", aymara: "ay", esperanto: "eo",
  gaelic: "gd", hinglish: "hi", faroese: "fo", frisian: "fy", occitan: "oc", corsican: "co",
};

/** The ISO 639-1 code of a language name in lower case; undefined for other words. */
export function codeOfLanguage(name: string): string | undefined {
  const code = Object.hasOwn(sharedNames, name) ? sharedNames[name] : Object.hasOwn(pureNames, name) ? pureNames[name] : undefined;
  return code;
}
