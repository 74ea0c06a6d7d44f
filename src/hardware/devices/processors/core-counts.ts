/**
 * Cores by processor number, for lines whose processors differ in cores and whose names do not say how many there are.
 * Tested on the name as `find-cpu.ts` normalises it; first match wins. An efficiency core unpacks weights at a third of a
 * performance core's rate (at half of it from Core Ultra 200 on), so 8 + 16 cores count as 13.3.
 *
 * Sources: ARK (Intel) and product specifications (AMD). The figures were entered from general knowledge of them.
 */
const counts: readonly (readonly [pattern: RegExp, cores: number])[] = [
  // Threadripper PRO.
  [/\d\d45wx/, 12],
  [/\d\d55wx/, 16],
  [/\d\d65wx/, 24],
  [/\d\d75wx/, 32],
  [/\d\d[89]5wx/, 64],
  // Xeon W.
  [/w-?2[12]2[35]/, 4],
  [/w3-242[35]|w-?213[35]|w-?2235/, 6],
  [/w3-2435|w-?2140b|w-?2[12]45/, 8],
  [/w5-2445|w-?2150b|w-?2[12]55/, 10],
  [/w5-(2455|3425)|w-?2265/, 12],
  [/w-?2170b|w-?2[12]75/, 14],
  [/w5-(2465|3435)/, 16],
  [/w-?2191b|w-?2[12]95/, 18],
  [/w7-(2475|3445)/, 20],
  [/w7-(2495|3455)/, 24],
  [/w9-3475/, 36],
  [/w9-3495/, 56],
  // Xeon E5.
  [/e5-?(16[02]\d|26(03|09)( v2)?$|2623|2637)/, 4],
  [/e5-?(165\d|26(03|09) v[34]|2620( v[23])?$|2630( v2)?$|2640$|2643)/, 6],
  [/e5-?(16[68]\d|2620 v4|2630 v3|2640 v[23]|2650( v2)?$|26(60|65|67|70|80|90)$|2667)/, 8],
  [/e5-?(26[34]0 v4|2650 v3|2660 v[23]|26[789]0 v2|2687w v3)/, 10],
  [/e5-?(2650 v4|26[789]0 v3|2678 v3|2687w v4|269[57] v2)/, 12],
  [/e5-?(26[689]0 v4|2683 v3|269[57] v3)/, 14],
  [/e5-?(2683 v4|2697a v4|2698 v3)/, 16],
  [/e5-?(269[57] v4|269[69] v3)/, 18],
  [/e5-?2698 v4/, 20],
  [/e5-?269[69] v4/, 22],
  // Xeon Scalable, first to third generation.
  [/silver 4112|gold (51|52)22/, 4],
  [/bronze 3[12]04/, 6],
  [/bronze|silver (41(08|10)|42(08|09|15)|4309)|gold (5217|6[12][34]4|6250|6334)/, 8],
  [/silver (4114|4210|4310t)|gold 5[12]15/, 10],
  [/silver (4116|4214|4310)|gold (5118|61[234]6|62[24]6$|5317)/, 12],
  [/gold (5120|6132)/, 14],
  [/gold (5218r|6230r)/, 20],
  [/gold (5220r|6240r|6248r|5318|6252|6342)|platinum 8[12]6[08]/, 24],
  [/silver (4216|4314)|gold (5218|61[34]2|6130|6242|62[24]6r|63[24]6)/, 16],
  [/gold (5220|61[45]0|6154|6240|6254)/, 18],
  [/silver 4316|gold (61[34]8|62[34]0|6248)/, 20],
  [/gold (6238r|6330|6348)|platinum (817[36]|8180|827[36]|8280)/, 28],
  [/gold (6152|6238)/, 22],
  [/gold 6338|platinum 83(52|58|62|75)/, 32],
  [/platinum 8380/, 40],
  // Intel Core with efficiency cores.
  [/i3-?1[234][12][05]u|core 3 100u/, 3.3],
  [/i[57]-?1[23][3-6]5u|ultra [57] 1[2-6][45]u|core [57] 1[2-5]0u/, 4.7],
  [/i5-?1[23]4[25]0h$/, 5.3],
  [/i[57]-?1[23][4-7]0p|i5-?1[23][56]00h|ultra 5 1[23]5h/, 6.7],
  [/i7-?1[23]6[25]0h|i5-?1[34]450hx|i5-?1[34]4\d\d|i5-?12600k/, 7.3],
  [/i7-?1[23]80p|i[79]-?1[23][789]\d\d(h|hk)$|i[579]-?1[34][56]\d\d|ultra [79] 1[5-8]5h/, 8.7],
  [/i7-?127\d\d/, 9.3],
  [/i9-?129\d\d|i7-?13700|i7-?13790|i7-?14650hx/, 10.7],
  [/i7-?147\d\d|i7-?13850hx/, 12],
  [/i9-?1[34]9\d\d/, 13.3],
  [/i5-?12[3-6]\d\d/, 6],
  [/ultra 5 2[234]\dk?f?$/, 10],
  [/ultra 7 2[67]\dk?f?$/, 14],
  [/ultra 9 2[89]\dk?f?$/, 16],
  // Intel Core before them.
  [/i9-?10[89]\d\d/, 10],
  [/i9-?(99|119)\d\d|i7-?(97|107|117)\d\d(k|f|kf|t)?$|i[79]-?(11[89]|108[78]|1098)\d+h/, 8],
  [/i[57]-?(8[4-7]|9[4-6]|10[4-6]|11[4-6])\d\d(k|f|kf|t)?$|i5-?11[2-4]\d\dh|i7-?10710u/, 6],
  [/i5-?[89]\d\d\dh/, 4],
  [/i3-?[2-7]\d{3}|i5-?42[57][08]u|pentium|celeron g/, 2],
  [/core ?2 quad/, 4],
  // AMD, whose processors with graphics have no number of cores in their names.
  [/r1505g/, 2],
  [/ryzen (ai )?3/, 4],
  [/ryzen ai 5|ryzen 5 (pro )?([4-9]\d\d0|7\d3\d|[67]535|[78][56]4\d)/, 6],
  [/ryzen ai 9/, 12],
  [/ryzen 9 (pro )?(\d950|79[45]5hx|99[45]5hx)/, 16],
  [/ryzen 9 (pro )?(\d900x?(3d)?$|7845hx)/, 12],
  [/ryzen [79] (pro )?[3-9]\d{3}/, 8],
];

/** The cores of a processor by its number, or undefined if the list does not have it. @param text a normalised name. */
export function coresByNumber(text: string): number | undefined {
  return counts.find(([pattern]) => pattern.test(text))?.[1];
}
