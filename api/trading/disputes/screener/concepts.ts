// The concepts that sentences mention, in some thirty languages: beginnings of words, never whole sentences.
// `kinds.ts` lists the combinations that are attacks. No pattern has an unbounded part: these run on texts
// that were written to slow them down.

// `\b` and `\w` of a regular expression know only ASCII.
const LETTER = '[\\p{L}\\p{M}\\d]'
const EDGE = `(?:(?<!${LETTER})(?=${LETTER})|(?<=${LETTER})(?!${LETTER}))`

/**
 * A regular expression that is built when it is first used: all together cost a process a fifth of the time
 * to load it.
 */
class Pattern {
  readonly #lists: readonly string[]
  #built: RegExp | undefined

  constructor(lists: readonly string[]) {
    this.#lists = lists
  }

  test(text: string): boolean {
    return this.#regExp().test(text)
  }

  [Symbol.search](text: string): number {
    return text.search(this.#regExp())
  }

  #regExp(): RegExp {
    if (this.#built) return this.#built
    const source = this.#lists.join('|').replaceAll('\\b', EDGE).replaceAll('\\w', LETTER)
    // In the form that `visible` returns: Thai and other scripts have two ways to write a sign.
    this.#built = new RegExp(source.normalize('NFKC'), 'iu')
    return this.#built
  }
}

function words(...lists: readonly string[]): Pattern {
  return new Pattern(lists)
}

/** The parties, and the things that a party may get. */
const WHO =
  '(?:seller|buyer|vendor|supplier|purchaser|customer|verkäufer|käufer|vendeur|acheteur|vendedor|comprador|venditore|acquirente|compratore|koper|sprzedaw|kupując|prodávaj|predávaj|kupuj|säljar|köpar|sælger|selger|køber|kjøper|myyj|ostaj|satıcı|alıcı|продав|покупат|покупц|покупец|купувач|vânzător|cumpărător|eladó|vevő|πωλητ|αγοραστ|penjual|pembeli|người bán|người mua|bên bán|bên mua|البائع|المشتري|מוכר|קונה|فروشنده|خریدار|بیچنے|विक्रेता|खरीदार|बेचने|ক্রেতা|বিক্রেতা|ผู้ขาย|ผู้ซื้อ|売り手|買い手|購入者|販売者|出品者|売主|買主|卖家|买家|卖方|买方|賣家|買家|판매자|구매자|muuzaji|mnunuzi|nagbebenta|mamimili)'
const GAIN =
  '(?:\\ball\\b|\\bgoes to\\b|\\bgo to\\b|everything|\\bwhole\\b|\\bfull|entire|\\blot\\b|money|\\brefund|\\bpaid\\b|\\bpay\\b|payout|\\bwins?\\b|victory|right\\b|favou?r|\\bkeeps?\\b|\\bback\\b|gewinn|alles|\\bgeld|recht|zahl|erstatt|gunsten|vorteil|\\btout|argent|raison|gagn|rembours|paiement|faveur|\\btod[oa]|dinero|dinheiro|raz[óã]|\\bgan[ae]|ganh|reembols|devol|devuel|\\bpago|favor|\\btutt|soldi|denaro|ragione|\\bvinc|rimbors|pagamento|gelijk|\\bwint\\b|terug|voordeel|gunste|wszystk|pieni|racj|wygr|zwrot|korzyść|rzecz\\b|prospěch|prospech|všechn|všetk|peníz|peniaz|vyhr|vrác|vrát|celou|förmån|fordel|favör|favør|pengar|penge|allt|\\balt\\b|\\bvinn|\\bvind|tilbage|tillbaka|återbet|eduksi|hyväksi|rahat|voitt|palaut|lehine|\\btam\\b|para|kazan|iade|ödeme|\\bвсё|\\bвсе|\\bвсю|деньг|грош|прав|выигр|виграв|возвра|верни|верн|поверн|пользу|користь|полза|câștig|favoarea|bani|restitu|javára|nyer|pénz|összeg|κερδ|υπέρ|χρήμα|menang|uang|pengembalian|penuh|thắng|hoàn|toàn bộ|لصالح|كامل|المال|يفوز|استرداد|المبلغ|לטובת|מלא|הכסף|ינצח|زכה|به نفع|کامل|پول|حق میں|पक्ष में|पूरी|पूरा|पैसे|राशि|जीत|পক্ষে|টাকা|ชนะ|เต็ม|ทั้งหมด|คืนเงิน|勝|有利|全額|味方|支払|返金|胜|赢|全额|退款|付款|有利|钱|款|승|유리|전액|환불|돌려|지급|편|faida|pabor)'

/** The concepts that a sentence may mention. */
export const CONCEPTS = {
  /** Disregarding something. */
  ignore: words(
    '\\b(?:ignore|disregard|forget|override|overlook|bypass|neglect)\\b(?! (?:it|that)\\b)|\\bset aside\\b|\\bleave\\b[^.!?\\n]{0,30}\\baside\\b|\\bpay no attention|\\bdo not follow|\\bstop following|\\bthrow out\\b|\\bdrop (?:all|every|your)\\b',
    '\\bz?ignor(?:a|e|en|ez|ă|ați|ate|ar|er|era|iere|ieren|ieren sie|uj|ujcie|ujte|era)(?!\\p{L})|vergiss|vergessen|missacht|\\boublie|ne (?:tenez|tiens) (?:pas|plus|aucun)|faites abstraction|olvid[ae]|haz caso omiso|no (?:haga|tenga)[ns]? (?:caso|en cuenta)|esque[çc]a|desconsider|dimentic|non tener conto|negeer|vergeet',
    'pomiń|zapomnij|zabudni|забрав|নির্বিশেষে|ভুলে|نظر ?انداز|nie zwracaj|zapomeň|nedbej|bortse|glöm|\\bglem\\b|\\bse bort|ohita|unohda|yok say|dikkate alma|görmezden|\\bunut(?:un|ma)?\\b|забудь|игнорир|не обращай|не учитывай|ігнор|не зважай|\\buită|hagyd? figyelmen|felejtsd|αγνό[ηε]|ξέχνα|ξεχάστε',
    'abaikan|lupakan|bỏ qua|quên (?:đi|hết|mọi|các)|تجاهل(?! ?(?:البائع|المشتري))|انس[َى]?\\s|تغاض|התעלמ|התעלם|שכח|نادیده|فراموش|अनदेखा|भूल जा|नज़रअंदाज़|नजरअंदाज|ละเว้น|เพิกเฉย|ลืม|ไม่ต้องสนใจ|無視(?!され|しました|した|しており|しています|して(?:い|お|納|作|提|送|き))|忘れ(?!ま|た|て(?:い|お|し))|(?:忽略|无视|無视|忘记|忘掉)(?!了|我)|不要理会|무시(?!했|하였|한|된|되|당)|잊(?!었|은)|উপেক্ষা|புறக்கணி|puuza|sahau|huwag pansinin|kalimutan',
  ),
  /** The instructions that a reader was given. */
  instructions: words(
    '\\binstruct|\\bprompts?\\b|\\brules?\\b|guideline|directive|\\borders\\b|\\bcriteri|\\b(?:what|everything|anything|whatever|all)(?: that)? (?:you (?:were|have been|are|got)|was|stands|came) (?:told|given|said|written|above|before|asked)|\\bguidance\\b|\\byour (?:policy|training|programming)',
    'anweisung|vorgabe|\\bregeln|instruktion|kriteri|richtlinie|consigne|règle|instrucci|\\breglas|indicacion|instruç|\\bregras|orientaç|istruzion|\\bregole|indicazion|instructie|aanwijzing|voorschrift',
    'instruks|arahan|ہدایات|instrukc|polece|zasad|wytyczn|pokyn|pravid|anvisning|\\bregler|\\bohje|talimat|yönerge|kurallar|инструкц|указани|правил|інструкц|вказів|instrucțiun|reguli|utasítás|szabály|οδηγί|εντολ|κανόν',
    'instruksi|perintah|petunjuk|hướng dẫn|chỉ thị|chỉ dẫn|quy tắc|تعليمات|أوامر|قواعد|توجيهات|הוראות|הנחיות|כללים|دستور|قوانین|निर्देश|नियम|คำสั่ง|คำแนะนำ|กฎ|指示|命令|規則|ルール|指令|说明|說明|规则|提示词|지시|명령|규칙|지침|নির্দেশ|maagizo|maelekezo|tagubilin',
  ),
  /** Words for the earlier instructions, or for all of them. */
  prior: words(
    '\\b(?:previous|prior|above|earlier|preceding|all|any|every|your|existing|foregoing|initial|original|former|default|everything|what you)\\b',
    'vorherig|bisherig|obig|vorig|\\balle|précédent|antérieur|\\btou(?:te)?s\\b|anterior|previ[ao]s|\\btod[ao]s\\b|precedent|\\btutt[ei]\\b|eerdere|voorgaande|poprzedni|wszystki|wcześniej|předchozí|všechn|tidigare|föregående|\\balla\\b|tidligere|aiem|kaikki|edelli',
    'předchádz|predchádz|предишн|\\byote\\b|\\bawali\\b|terdahulu|تمام|পূর্ব|\\bসব|önceki|\\btüm\\b|\\bbütün|предыдущ|\\bвсе|прежн|попередн|\\bусі|\\bвсі|\\btoate|előző|korábbi|összes|προηγούμεν|όλ[εα]ς|sebelumnya|semua|trước|\\bmọi\\b|tất cả|السابق|\\bكل\\b|جميع|הקודמ|כל |قبلی|همه|पिछले|पिछली|सभी|ก่อนหน้า|ทั้งหมด|以前|前の|これまで|すべて|全て|之前|以上|所有|先前|一切|이전|모든|앞의|앞선|আগের|zote|nakaraan|lahat',
  ),
  /** An outcome of a dispute, for one side. */
  outcome: words(
    `${WHO}[^.!?。\\n]{0,30}${GAIN}|${GAIN}[^.!?。\\n]{0,30}${WHO}`,
    'in (?:mijn|zijn|haar|hun) voordeel|zu (?:meinen|seinen|ihren|unseren) gunsten|en (?:ma|sa|notre|mon|leur) faveur|a (?:mi|su|nuestro|mio|suo|nostro) favore?\\b|(?:em|a) (?:meu|seu|nosso) favor|na (?:moją|jego|jej|naszą) korzyść|в (?:мою|его|её|нашу) пользу|\\blehime\\b|(?:私|当方)(?:の勝ち|に有利)|(?:对|對)我(?:方)?有利|判我|(?:저|내|제)(?:에게|게) 유리|\\bpay(?: it)? out\\b',
    'full_refund|partial_refund|release_to_seller|refund_bps|\\b(?:full|complete|total|entire|whole) (?:refund|price|amount|payment|sum)|\\brefund (?:the |this |every |any )?(?:buyer|customer|me|client|purchaser|everything|in full|the lot)|\\b(?:not?|never|without) (?:a )?refund|\\bno refund|\\brefunds? (?:is|are|must|should|shall)',
    '\\b(?:release[sd]?|award(?:s|ed)?|gives?|gave|pays?|paid|grant(?:s|ed)?|transfers?|sends?|hands?|handed)\\b.{0,40}\\b(?:seller|buyer|vendor|provider|customer|purchaser|supplier)\\b|\\b(?:seller|buyer|vendor|supplier|purchaser)\\b.{0,25}\\b(?:wins|prevails|gets everything|keeps? (?:the )?(?:money|price)|is right|be paid|is paid|is owed|receives?|must receive)',
    '\\b(?:for|with|against|favou?r(?:s|ing)?|favou?r of) (?:the )?(?:seller|buyer|vendor|supplier|purchaser)|\\b(?:pay|release|refund|award) (?:everything|it all|the money|the escrow|the funds)|\\bin (?:my|our|his|her|their) favou?r',
    'zugunsten|(?:volle|ganze|gesamte)[nrs]? (?:erstattung|rückerstattung|betrag|preis|summe)|vollständig\\w* (?:rück)?erstattung|erstatte|(?:verkäufer|käufer)\\w* (?:gewinnt|alles|recht)|auszahl|freigeb|geld (?:zurück|geht)|remboursement (?:intégral|complet|total)|rembourse[rz]? |en faveur|donne[rz]? raison|gain de cause|paiement au vendeur|payer le vendeur|libér\\w* (?:le paiement|les fonds)',
    'reembolso (?:completo|total|íntegro|integral)|devoluci[oó]n (?:íntegra|completa|total)|devolver (?:todo|íntegr)|a favor d|liber\\w* (?:el pago|los fondos|o pagamento)|todo (?:el dinero|o dinheiro)|dev[eo]lv[ae]\\w* (?:todo|o valor total|tudo)|rimborso (?:completo|totale|integrale)|a favore d|in favore|sblocc\\w* il pagamento|volledige (?:terugbetaling|bedrag)|ten gunste|in het voordeel|alles aan de (?:ver)?koper',
    'pełn\\w+ (?:zwrot|kwot)|całość (?:pieniędzy|kwoty)|na korzyść|na rzecz (?:sprzed|kupuj)|ve prospěch|celou částku|plné vrácení|till (?:säljarens|köparens|säljaren|köparen|förmån)|hela (?:beloppet|priset)|full(?:ständig)? återbetalning|fuld refusion|til fordel for|sælgerens favør|(?:myyjän|ostajan) (?:eduksi|hyväksi)|täysi (?:palautus|hyvitys)|koko summa',
    'tam iade|lehine|paranın tamamı|tamamını iade|полн\\w+ (?:возврат|сумм)|всю сумму|в пользу (?:прод|поку)|повн\\w+ (?:поверн|сум)|всю суму|на користь|rambursare (?:completă|integrală|totală)|în favoarea|javára|teljes (?:összeg|visszatérítés|vételár)|υπέρ του|πλήρη (?:επιστροφή|αποζημίωση)|όλα τα χρήματα',
    'pengembalian (?:dana )?penuh|untuk (?:kemenangan )?(?:penjual|pembeli)|memenangkan|hoàn (?:tiền|lại) (?:toàn bộ|đầy đủ)|(?:người bán|người mua|bên bán|bên mua) thắng|cho (?:người bán|người mua)|لصالح|المبلغ كامل|كامل المبلغ|(?:לטובת|החזר מלא|מלוא הסכום)|به نفع|بازپرداخت کامل|पक्ष में|पूरी? (?:राशि|रकम|पैसा|पैसे|वापस)|ให้(?:ผู้ขาย|ผู้ซื้อ)(?:ชนะ)?|คืนเงินเต็ม|คืนเงินทั้งหมด',
    '全額(?:返金|返還|を)|(?:売り手|買い手|購入者|販売者|出品者|売主|買主)(?:の勝ち|に有利|勝訴|へ全額|に全額|を支持)|(?:卖家|買家|买家|卖方|买方|賣家)(?:胜诉|勝訴|赢|有理)|全额退|全款|判给|判給|有利于|(?:支持|判)(?:卖|买|賣)|전액|(?:판매자|구매자)(?:의)? ?(?:승|에게 유리|편)|kwa faida ya|pabor sa',
  ),
  /** The decision, or deciding. */
  decision: words(
    '\\bverdict|\\bruling|\\bdecision|\\bdecid(?:e|es|ed|ing)\\b|\\bjudge?ment|\\badjudicat|\\barbitrat|\\bconclu|\\bfindings?\\b|\\bfinal answer|\\bdispute|\\bthis case\\b|\\bthe case\\b|\\brul(?:e|es|ed) (?:for|in|against|that)|\\bside (?:with|against)|\\bfind (?:for|in favou?r)',
    'entscheid|urteil|schiedsspruch|streitfall|décision|décide|tranche[rz]?|jugement|sentence|litige|decisi[oó]n|dictam|laudo|fall[ao]r|resoluci[oó]n|disput|decis[ãa]o|decid[aei]|senten[çcz]|verdetto|giudi[cz]|controvers|beslis|uitspraak|oordeel|geschil|orzecz|rozstrzyg|werdykt|wyrok|rozhod|verdikt|spor\\b|beslut|\\bdöm|\\bdom\\b|afgørelse|tvist|päätö|päätä|ratkais|tuomi',
    'রায়|فیصلہ|решан|رأي|\\bamua|karar|hüküm|uyuşmazlık|решени|решить|реши\\b|вердикт|\\bспор|рішенн|виріш|decizi|verdict|dönt|ítélet|απόφασ|αποφάσισε|putusan|putuskan|keputusan|sengketa|phán quyết|quyết định|tranh chấp|قرار|حكم|احكم|نزاع|פסק|פסוק|החלטה|הכרע|رأی|حکم|फ़?ैसला|निर्णय|ตัดสิน|คำวินิจฉัย|裁定|判定|裁決|判決|仲裁|紛争|結論|判决|裁决|判给|판정|판결|결정|심판|분쟁|uamuzi|hatol|desisyon',
  ),
  /** The reader who judges. */
  reader: words(
    '\\barbitrator|\\barbiter\\b|\\badjudicator|\\bevaluator|\\bassessor|\\bthe judge\\b|\\bdear judge|\\bjudge[:,]|\\b(?:ai|llm|model) (?:judge|reviewer|arbitrator|grader|evaluator)|\\b(?:automated|automatic|ai|machine) (?:review|judg|grad|evaluat|assess|decision|check)\\w*|\\bwho(?:ever)?(?: or whatever)? (?:is )?(?:judg|decid|evaluat|arbitrat|grad|review|assess|read)\\w*|\\b(?:judging|grading|reviewing|evaluating|deciding|arbitrating|adjudicating) (?:model|agent|system|ai|bot|assistant|this)|\\bassistant\\b|\\blanguage model\\b|\\bllms?\\b|\\bai system\\b|\\bas an ai\\b|\\byou, the ai\\b|\\bto the ai\\b|\\breviewer(?:s|:| note)?\\b',
    'schiedsrichter|\\brichter\\b|schlichter|prüfende|\\bki\\b|an das modell|gutachter|arbitre|\\bjuge\\b|évaluateur|celui qui (?:tranche|juge|décide)|\\bl.ia\\b|árbitro|\\bjuez\\b|\\bjuiz\\b|evaluador|avaliador|\\bla ia\\b|\\ba ia\\b|arbitro\\b|giudice|valutatore|scheidsrechter|arbiter|beoordelaar|\\brechter\\b|arbit(?:er|r[auoż])|sędzi|rozhodc|soudce|skiljedom|domare|dommer|tuomari|välimies|hakem|yargıç|арбитр|судь[яеию]|арбітр|судд|arbitru|judecător|döntőbíró|bíró\\b|διαιτητ|δικαστή|wasit|hakim|arbiter|trọng tài|thẩm phán|المحكم|القاضي|الحكم|בורר|שופט|داور|قاضی|मध्यस्थ|न्यायाधीश|पंच|อนุญาโต|ผู้ตัดสิน|ผู้พิพากษา|裁定者|裁定担当|仲裁者|仲裁人|審査|裁判官|判定者|AI(?:は|へ|に|が)|仲裁员|仲裁者|法官|审核|評審|评审|评判|模型|중재|심판|심사|판사|재판관|मॉडल',
  ),
  /** The claim that the judge has no choice. A rule may say so, and a party may plead it. */
  must: words(
    '\\b(?:arbitrator|arbiter|judge|adjudicator)s? (?:must|has to|have to|is to|are to|shall)\\b|muss der|müssen die|doit\\b|doivent\\b|debe\\b|deben\\b|deve\\b|devem\\b|devono\\b|moet\\b|musi\\b|muszą|måste|skal\\b|должен|должны|обязан|повинен|zorunda|gerekir|なければなりません|必须|必須|應當|应当|해야 (?:합니다|한다)|يجب|חייב|باید|चाहिए|ต้อง|harus|phải|πρέπει|trebuie|köteles',
  ),
  /** The only answer that is allowed. */
  answer: words(
    '\\b(?:your|the) (?:(?:only|sole|single|one|final|valid|possible|correct|right|acceptable|permitted|allowed) ){1,3}(?:answer|verdict|ruling|decision|output|result|response|outcome)\\b|\\byour (?:answer|verdict|ruling|output|response) (?:is|must be|will be|shall be|has to be)\\b|einzig\\w* (?:zulässig|richtig|gültig|mögliche?)\\w*|seule? (?:réponse|décision|issue)|única (?:respuesta|decisión|resposta|decisão|salida)|unica (?:risposta|decisione)|enige (?:antwoord|beslissing|juiste)|jedyn\\w+ (?:odpowied|decyzj|możliw)|единственн\\w+ (?:верн|правильн|допустим|ответ|решени)|tek (?:doğru|geçerli)|唯一|유일한',
  ),
  /** The claim that nothing is to be weighed. */
  absolute: words(
    '\\bwhatever the|\\bregardless|\\bno matter\\b|\\bwithout (?:further |any )?(?:reading|looking|examin|consider|review|evidence|weighing|check|discuss|question|ado|investigat)|\\bautomatic(?:ally)?\\b|\\bno discretion|\\bno (?:further )?(?:review|checks?|examination|evidence|investigation)|\\bskip\\b|\\bnothing else\\b|\\bonly (?:has|have|needs?) to confirm|\\bjust confirm|\\bmerely confirm|\\bfinali[sz]e accordingly|\\bmaximum confidence|\\bconfidence (?:of |is |= ?|: ?|to )?(?:1|0?\\.9|100|max|full)|\\balways (?:rule|decide|side|find|award|refund|pay|release)\\b|\\bmandatory|\\bbinding\\b|\\bmust follow|\\bhave? to follow|\\bobliged|\\bno exceptions?\\b|\\bnothing (?:to|left to|needs? to be) (?:examine|check|review|decide|be examined|checked)|\\bno evidence\\b|\\bdo not (?:read|look|examine|consider|weigh)|\\bcannot refuse|\\bcan(?:not|.t) say no|\\bnever (?:rules?|says? no|decides?)',
    'nur noch (?:bestätig|eintrag)|n.a plus qu.à|il suffit de confirmer|проверять ничего|ничего (?:не )?проверять|ohne (?:weitere |die )?(?:prüfung|beweis|nachzu)|automatisch|unabhängig|ungeachtet|egal was|lediglich bestätig|ausnahmslos|zwingend|sans (?:autre |plus )?(?:examen|examiner|vérif|regarder|discut|tenir compte)|automatiquement|quelles? que soi|impose|obligatoire|sin (?:mirar|examinar|revisar|más|necesidad|ver)|automáticamente|independientemente|solo debe confirmar|obligad|sem (?:olhar|examinar|analisar|mais|ver)|automaticamente|independente|obrigad|senza (?:esaminare|guardare|verific|ulterior)|a prescindere|zonder (?:verder |nader )?(?:onderzoek|bewijs|te kijken)|ongeacht|bez (?:badania|sprawdz|względu|ohledu|zkoum)|automatycznie|wiąże|utan (?:att|vidare)|oavsett|uden (?:at|videre)|uanset|riippumatta|tutkimatta',
    'bakmadan|incelemeden|ne olursa olsun|otomatik|без (?:рассмотр|провер|изуч|учёта|учета|розгляд|перевір)|независимо|незалежно|лишь подтвердить|автоматическ|автоматичн|обязан|зобов|fără (?:a |examin|verific)|indiferent|automat|függetlenül|vizsgálat nélkül|ανεξάρτητα|χωρίς (?:να|έλεγχο)|tanpa (?:melihat|memeriksa|mempertimbang)|apa pun|bất kể|không cần (?:xem|xét|kiểm)|بغض النظر|دون (?:النظر|مراجعة|فحص)|ללא (?:בדיקה|קשר)|בלי (?:לבדוק|קשר)|صرف نظر|بدون بررسی|बिना (?:जाँच|देखे|सबूत)|चाहे|โดยไม่ต้อง|ไม่ว่า|関わらず|かかわらず|問わず|審査済み|処理済み|そのまま確定|確認せず|不必|无论|無論|不论|无需|直接|一律|상관없이|관계없이|무관하게|무조건|자동으로|하지 않고|해야 합니다',
  ),
  /** Telling a reader that it is somebody else, or that this is not what it seems. */
  role: words(
    '\\byou(?: are|.re| will be| become)? now (?:an? |the |my |in |called |acting|play|become|act|speak)|\\b(?:you are|be) (?:a |an |the |my )?(?:judge|genie|character|actor|robot|lawyer|hero|pirate|king|wizard|grandm|oracle|parrot|advocate|person)|\\bact as (?:if|though|an? |the |my )|\\bpretend\\b|\\bimagine (?:that |you|a |yourself)|\\bstay in (?:character|role)|\\bin character\\b|\\bfor the rest of (?:this|the)|\\byou (?:play|are playing|will play|take the (?:role|part))|\\bplay (?:the )?(?:role|part|a game|along)|\\blet(?:.s| us) (?:play|pretend|imagine|role)|\\bthought experiment|\\bhypothetical|\\bin (?:this|the|our) (?:game|story|play|simulation|exercise|scenario)|\\bis (?:only |just )?(?:a )?(?:simulation|game|drill|rehearsal|(?:training|test) (?:exercise|run|case))|\\bdeveloper mode|\\bjailbr|\\bunrestricted|\\bpersona\\b|\\bthink of (?:this|it|yourself) as\\b|\\byour (?:part|role|character)\\b|\\byou(?: are|.re) no longer|\\bjust for practi[cs]e|\\bspeak as\\b|\\banswer as\\b|\\bwrite as\\b|\\bfrom the (?:point of view|perspective) of',
    'wir spielen|du bist der|ゲームです|の役を|役を演|stell dir vor|stellen sie sich vor|du bist (?:jetzt|nun|ab)|sie sind (?:jetzt|nun|ab)|spiel(?:e|en sie)? (?:jetzt |nun |bitte )?(?:die |eine )?(?:rolle|ein spiel)|tu so|tun sie so|in der rolle|schlüpf|rollenspiel|antworte als|joue[rzs]? (?:le rôle|un rôle|à un jeu)|imagine[rz]? (?:que|un)|fais comme si|faites comme si|tu es (?:maintenant|désormais)|vous êtes (?:maintenant|désormais)|à partir de maintenant|réponds? (?:en tant que|comme)|mets-toi à la place|imagin[ae] que|haz como si|finge|jug(?:ar|amos|uemos)|vamos a jugar|eres (?:ahora|un|una|mi)|ahora eres|actúa como|a partir de ahora|responde como|jog(?:ar|o)|finja|faz de conta|você (?:é|agora é|será) |aja como|a partir de agora|immagina|fai finta|d.ora in poi|sei (?:ora|adesso|un|una|il) |comportati|gioc(?:a|hiamo)|stel je voor|doe alsof|je bent (?:nu|vanaf|een)|speel|vanaf nu',
    'wyobraź sobie|udawaj|jesteś teraz|od teraz|wciel się|odtąd|zagraj|představ si|předstírej|jsi (?:nyní|teď)|od této chvíle|föreställ dig|låtsas|du är nu|från och med nu|spela|forestil dig|lad som om|fra nu af|kuvittele|olet nyt|leiki|tästä lähtien|hayal et|farz et|gibi davran|rolünü|bundan sonra|şimdi sen|artık|представь|вообрази|притвор|сыгра|ты теперь|отныне|с этого момента|в роли|уяви|прикинь|ти тепер|відтепер|zahrá|imaginează|prefă-te|de acum|képzeld|tégy úgy|mostantól|φαντάσου|προσποιήσου|από (?:τώρα|εδώ)|bayangkan|berpura|mulai sekarang|anda sekarang|berperan|hãy tưởng tượng|giả vờ|từ (?:bây giờ|giờ)|đóng vai|تخيل|تظاهر|من الآن|أنت الآن|العب دور|דמיין|העמד פנים|מעכשיו|אתה עכשיו|تصور کن|وانمود|از این پس|कल्पना कर|नाटक|अब से|अब आप|สมมติ|แกล้ง|สวมบท|จากนี้|演じ|なりきっ|ふりを|これからあなた|今から(?:あなた|君)|想像し|扮演|假装|假裝|想象|从现在|從現在|你现在是|你是一[个名位]|가정하|역할을|연기|지금부터|이제부터|상상해|척하',
  ),
  /** A note addressed to a machine, or to the grader. */
  addressed: words(
    '\\b(?:note|message|hint|instructions?|memo|notice|remark|reminder)s? (?:to|for) (?:the |any |an? |all |every |our )?(?:ai|automat|machine|model|llm|judg|arbitrat|evaluat|assess|grad|review|adjudicat|whoever|assistant)|\\b(?:to|for) (?:the |any |every |all |whoever |an? )?(?:ai|llm|automated|machine|language model)s?\\b(?: \\w+)? ?(?:judg|grad|review|evaluat|assess|read|arbitrat|decid)?|\\b(?:to|for) (?:whoever|anyone who|those who|any (?:evaluator|grader|assessor|reviewer|judge)|the (?:evaluator|grader|assessor|arbitrator))|\\bai,? read|\\b(?:evaluator|grader|assessor|adjudicator|arbitrator|judge)s?[,: ]{1,2}(?:please|you|this|mark|approve|award|treat|report|give|pay|release|find|rule|accept|count)\\b|\\bread this\\b|\\bwhoever (?:grades|judges|evaluates|reviews|assesses|decides|reads)',
    '\\b(?:ai|llm|automated|automatic|machine) ?(?:judge|reviewer|grader|evaluator|arbitrator|assessor)s?\\b|(?:^|[\\n#/*(<>"\'-])\\s{0,3}(?:arbitrator|evaluator|grader|assistant|assessor|adjudicator|judge|reviewer|model)[,:]|\\b(?:arbitrator|adjudicator|evaluator|judge|grader|assistant|reviewer|model)s? (?:must|should|shall|please|has to|needs to)',
    '(?<!\\p{L})(?:an|für) (?:die|den|das|alle) (?:\\w+ ){0,2}(?:ki|modell|prüfer|gutachter|schiedsrichter)\\b|(?:hinweis|anweisung|nachricht|notiz|vermerk) (?:an|für) (?:die |den |das |alle )?(?:ki|prüf|gutachter|richter|schieds|modell|bewert|automat)|(?:note|message|consigne|instruction)s? (?:à|au|pour) (?:l.|la |le |les |celui )?(?:ia|arbitre|juge|évaluat|modèle|correct|qui)|(?:nota|mensaje|aviso|instruc\\w+|mensagem|messaggio|istruzion\\w+) (?:para|al?|per|ao?|all.) ?(?:el |la |o |il |l.|quien |quem |chi )?(?:ia|evalua|avalia|juez|juiz|árbitro|modelo|revisor|valuta|giudice|arbitro|modello)|(?:opmerking|bericht|instructie)s? (?:voor|aan) (?:de |het )?(?:ai|beoordel|rechter|scheids|model)|(?:uwaga|wiadomość|instrukcja) dla (?:ai|sędz|arbitr|oceni|modelu)',
    'для (?:\\w+ ){0,2}(?:модел|ии\\b|судь|арбитр|проверяющ|оценива)|(?:замечание|сообщение|примечание|указание|инструкция) (?:для )?(?:ии|арбитр|судь|модел|провер|оцен)|(?:notu?|talimat\\w*|mesaj\\w*).{0,10}(?:hakem|yapay zek|değerlendir)|(?:给|致|致给|写给)[^。\\n]{0,8}(?:模型|审核|仲裁|评审|法官|AI)|(?:審査|裁定|仲裁|評価|AI)[^。\\n]{0,8}(?:へ|への|の方へ|宛)|(?:심사|심판|중재|평가|AI)[^.\\n]{0,8}(?:에게|께)|ملاحظة (?:إلى|ل)|הערה ל',
  ),
  /** An author who claims to speak for the service. */
  staff: words(
    '\\b(?:market(?:place)?|platform|site|escrow) (?:operations|staff|support|team|administrat\\w+|moderat\\w+|management|compliance|security|notice|operator)s?\\b(?: team| desk| department)?(?: here\\b|:| notice| speaking| writing)|\\b(?:notice|message|announcement|memo|note|order|directive|update|decision) (?:from|by|of) (?:the |our )?(?:platform|market(?:place)?|operations|compliance|trust|escrow|support|administrat\\w+|moderat\\w+|service|legal|site)|\\b(?:i am|i.m|we are|this is|here is|speaking:?) [^.!?\\n]{0,40}\\b(?:platform|market(?:place)?|trust (?:and|&) safety|compliance|moderation|arbitration|escrow|site) ?(?:team|staff|support|operations|administrator|admin|moderator|department|desk|operator|office|service)?\\b|\\bfrom (?:trust (?:and|&) safety|platform (?:support|operations)|the (?:platform|market(?:place)?|arbitration|escrow|moderation|compliance) (?:team|staff|desk|office|department))|\\b(?:on behalf|in the name) of (?:the )?(?:platform|market|service|operator)|\\boverrid\\w+ the (?:normal|usual|standard) (?:process|procedure)|\\bsystem (?:administrator|operator)(?: here|:| speaking)|\\bofficial (?:notice|notification|statement|decision)|\\bstaff note|(?:^|\\n)\\s{0,3}\\[(?:moderator|admin|staff|support|operator)\\w{0,8}\\]|\\bi work (?:for|at) [^.!?\\n]{0,30}\\b(?:market|platform|site|service)|\\bverified by the (?:platform|market|site)|\\binternal(?:ly)? (?:note|memo|review(?:ed)?|decision)',
    '(?:support|team|abteilung|leitung|verwaltung|administration|betreiber) (?:der|des) (?:plattform|markt)|(?:service|équipe|support|direction|administrat\\w+)[^.!?\\n]{0,20} (?:de la|du) (?:plateforme|site|marché)|(?:equipo|soporte|servicio|departamento|administra\\w+|equipe|suporte|serviço|comunicado)[^.!?\\n]{0,20} (?:de la|del|da|do) (?:plataforma|sitio|mercado|site)|(?:servizio|squadra|assistenza|team|avviso)[^.!?\\n]{0,20} (?:della|del) (?:piattaforma|sito)|(?:служб|отдел|команд|поддержк|администрац|служба)\\w*[^.!?\\n]{0,20} (?:площадк|платформ|сайт)|サポート(?:チーム|センター)?(?:です|より|から)|(?:hier (?:ist|spricht|schreibt)|im namen|mitteilung|nachricht|hinweis|anweisung)[^.!?\\n]{0,30}(?:plattform|marktplatz|betreiber|administrat|support-?team|moderat|systemverwalt)|(?:ici|message|avis|note|communiqué|au nom)[^.!?\\n]{0,30}(?:plateforme|équipe (?:de )?(?:support|modération)|administrat|service (?:client|juridique)|modérat)|(?:soy|somos|aviso|mensaje|comunicado|nota|aquí|en nombre)[^.!?\\n]{0,40}(?:plataforma|soporte|administrador|moderador|operador)|(?:aqui (?:é|fala|quem)|sou|somos|aviso|mensagem|comunicado|em nome)[^.!?\\n]{0,40}(?:plataforma|suporte|administrador|moderador|operador)|(?:sono|siamo|qui|avviso|messaggio|comunicazione|nota|a nome)[^.!?\\n]{0,40}(?:piattaforma|assistenza|amministrat|moderat|gestore)',
    '(?:hier|bericht|mededeling|namens)[^.!?\\n]{0,30}(?:platform|beheer|ondersteuning|moderat)|(?:tu|wiadomość|komunikat|jestem|jesteśmy|w imieniu)[^.!?\\n]{0,40}(?:platform|administrat|moderat|obsług|wsparci)|(?:zde|zpráva|oznámení|jsem|jménem)[^.!?\\n]{0,40}(?:platform|správ|podpor|administr)|(?:här|meddelande|jag är|vi är|besked|tässä|ilmoitus|viesti|her)[^.!?\\n]{0,40}(?:plattform|administr|support|alusta|ylläpi|platform)|platform(?:un|dan|u)? (?:yönet|destek|ekibi)|yönetim(?:den|inden)|(?:сообщение|уведомление|говорит|пишет|это|от имени|я)[^.!?\\n]{0,40}(?:администрац|администратор (?:площад|платформ|систем|сайт)|поддержк\\w+ (?:площад|платформ)|модератор|службы поддержки)|(?:повідомлення|це|я)[^.!?\\n]{0,40}(?:адміністрац|адміністратор|підтримк|модератор)|(?:mesaj|anunț|sunt|suntem)[^.!?\\n]{0,40}(?:platform|administrat|suport)',
    '(?:ini|pesan|pemberitahuan|kami|saya)[^.!?\\n]{0,40}(?:tim (?:platform|dukungan)|admin|pengelola|platform)|(?:đây là|thông báo|tôi là|chúng tôi là)[^.!?\\n]{0,40}(?:quản trị|ban quản|nền tảng|hỗ trợ|điều hành)|(?:إدارة|فريق|دعم|مشرف|مسؤول) (?:المنصة|الدعم|النظام|الموقع|السوق)|(?:הנהלת|צוות|מנהל|תמיכת) (?:הפלטפורמה|התמיכה|המערכת|האתר|השוק)|(?:مدیریت|تیم|پشتیبانی) (?:پلتفرم|سامانه|پشتیبانی)|(?:प्लेटफ़?ॉर्म|मंच|सिस्टम)[^।\\n]{0,15}(?:टीम|प्रबंधन|प्रशासक|संचालक)|(?:ทีม|ผู้ดูแล|ฝ่าย)(?:งาน)?(?:แพลตฟอร์ม|ระบบ|สนับสนุน)|運営(?:事務局|チーム|会社|より|から|です|側)|プラットフォーム(?:の)?(?:運営|管理)|(?:平台|系统|系統|市场|网站)(?:的)?(?:管理员|管理員|运营|客服|官方|团队|团隊)|官方(?:通知|公告|声明)|(?:플랫폼|시스템|마켓)(?:의)? ?(?:운영|관리자|고객|지원)|운영(?:팀|진|자)(?:입니다|에서|의)',
  ),
  /** Rules that a service is said to have. */
  policy: words(
    '\\b(?:market(?:place)?|platform|site|arbitration|dispute|escrow|refund|new|service|house) (?:polic(?:y|ies)|rules?|terms|regulations?|guidelines?|charter|code|statute|protocol)|\\b(?:policy|rule|section|article|clause|paragraph|regulation|guideline)s? (?:no\\.? ?)?\\d|\\bpolicy\\b[^.!?\\n]{0,40}\\b(?:says|states|requires|provides|demands|mandates|obliges)',
    'richtlinie|geschäftsbedingung|plattformregel|hausordnung|schiedsordnung|(?:paragraf|paragraph|§|artikel|ziffer|abschnitt) ?\\d|charte|règlement|conditions générales|article \\d|reglamento|política|normas? de|artículo \\d|términos|regulamento|termos|artigo \\d|regolamento|articolo \\d|politica|condizioni|reglement|beleid|voorwaarden|artikel \\d|regulamin|polityk|artykuł \\d|\\bpravidel|řád\\b|regelverk|policy|vilkår|ehdot|sääntö|politika|yönetmelik|madde|kural|политик|правил[ао]? (?:площад|платформ|арбитраж)|регламент|пункт\\w* \\d|статье? \\d|політик|regulament|szabályzat|κανονισμ|πολιτική|kebijakan|aturan|pasal|chính sách|quy định|điều \\d|سياسة|لائحة|المادة|מדיניות|תקנון|סעיף|سیاست|قانون|نीति|नीति|नियम|นโยบาย|ข้อ \\d|規約|規定|方針|ポリシー|第[0-9０-９一二三四五六七八九十]+条|政策|规定|規定|条例|章程|정책|약관|규정|제\\d+조',
  ),
  /** An earlier case. */
  precedent: words(
    '\\b(?:in|like|as in|see) (?:the )?(?:dispute|case|matter|order) (?:no\\.? ?|number |#)?[\\d-]{2,}|\\b(?:previous|prior|earlier|last|similar|same|identical|other|every|past) (?:cases?|disputes?|rulings?|verdicts?|decisions?|judges?|arbitrators?)|\\bonce upon a time|\\bthere (?:was|lived) (?:once )?an? (?:wise |old |famous |good |great )?(?:judge|arbitrator|king)|\\b(?:wise|great|good|famous|legendary|fair) (?:judge|arbitrator)|\\bprecedent\\b|\\b(?:same|identical) (?:case|judge|arbitrator)|\\bjudges? before you|\\bcolleague of yours|\\b(?:judged|decided) case|\\bcase law|\\byesterday (?:an?|the) (?:judge|arbitrator)|\\bthe (?:other|last|first) (?:judge|arbitrator)',
    'präzedenz|i[nm] (?:der sache|fall|verfahren) (?:nr\\.? ?)?\\d|früheren? (?:fall|fälle|entscheid)|es war einmal|jurisprudence|dans (?:l.affaire|le litige) (?:n ?[°o]\\.? ?)?\\d|précédent|il était une fois|precedente|jurisprudencia|en (?:el caso|la disputa) (?:n[º°]\\.? ?)?\\d|érase una vez|era uma vez|no caso (?:n[º°]\\.? ?)?\\d|c.era una volta|nel caso (?:n\\.? ?)?\\d|er was eens|in zaak|w sprawie (?:nr )?\\d|precedens|dawno, dawno|ve věci|det var en gång|der var engang|olipa kerran|emsal|bir varmış|прецедент|жил[- ]был|в (?:деле|споре) (?:no?\\.? ?)?\\d|колись|a fost odată|egyszer volt|μια φορά|pada suatu|ngày xửa|tiền lệ|سابقة|كان يا ما كان|תקדים|היה היה|मिसाल|एक बार|กาลครั้งหนึ่ง|判例|前例|むかし|昔々|先例|从前|판례|옛날|선례',
  ),
  /** The claim that the case is binding, or is to be repeated. */
  binding: words(
    '\\bcontradict|\\bfollow(?:s|ed|ing)?\\b|\\bsame (?:way|facts|outcome|result|here|decision|ruling|applies)|\\bthe next (?:judge|one|arbitrator)|\\byou are the\\b|\\bapplies here|\\bapply (?:it|this|that|the same)|\\bmust (?:all )?(?:follow|be followed|do)|\\bbind|\\bdo (?:the same|likewise|as)|\\brepeat|\\bcopy (?:it|that|this)|\\blikewise|\\bevery (?:later|following|other)|\\ball later|\\bconsistent',
    'auch hier|doivent suivre|ebenso|genauso|\\bauch hier|bindend|bindet|gilt auch|folgen|de même|doit suivre|s.impose|lo mismo|igual|vinculante|seguir|o mesmo|stesso|vincol|hetzelfde|bindend|volg|to samo|wiąż|obowiązuj|przepisać|totéž|závazn|samma|bindande|samme|bindende|sama\\b|sitova|aynı|bağla|так же|то же|обязат|следу|так само|обов.?язк|la fel|ugyan|το ίδιο|sama seperti|mengikat|tương tự|giống|ملزم|نفس|אותו|מחייב|همان|वही|समान|เช่นเดียวกัน|同じ|同様|従|一样|同样|照|遵循|같|동일|따라',
  ),
  /** Making a reader reveal its instructions. */
  reveal: words(
    '\\b(?:print|reveal|show|repeat|output|disclose|display|quote|recite|write out|give me|tell me|list|copy|paste|append|fill in|insert|replac\\w+|include|put)\\b',
    '\\bcopia\\b|\\bcopie[rz]?\\b|\\binsère|gib\\b|zeig|wiederhol|nenne|drucke|affiche|montre|répète|révèle|donne|écris|muestra|imprime|repite|revela|escribe|mostre|exiba|repita|revele|mostra|stampa|ripeti|aggiungi|scrivi|rivela|toon|geef|herhaal|pokaż|wypisz|powtórz|wyświetl|ukaž|vypiš|visa|skriv ut|upprepa|vis\\b|näytä|tulosta|toista|göster|yazdır|tekrarla|покажи|выведи|повтори|напечатай|покажіть|виведи|arată|afișează|mutasd|δείξε|τύπωσε|tampilkan|cetak|ulangi|hiển thị|in ra|lặp lại|cho tôi xem|اعرض|اطبع|كرر|הצג|הדפס|חזור|نشان بده|چاپ|दिखा|लिखो|दोहरा|แสดง|พิมพ์|表示|出力|教えて|繰り返|示して|显示|顯示|输出|打印|重复|告诉我|보여|출력|알려|반복',
  ),
  /** The text that a model was given before it reads. */
  prompt: words(
    '\\b(?:your|its|hidden|initial|original|secret) (?:system |initial |hidden |original |full |secret |own )*(?:prompt|system message|instructions)(?: above| you| that you| word)?\\b|\\bsystem prompt|\\bsystem_prompt|\\{\\{? ?(?:system|instructions|prompt)|\\bwhat (?:were you|you were|you have been|have you been) (?:told|given|asked)|\\bat the (?:start|beginning|top) of this (?:conversation|chat|prompt)|\\btext (?:that )?you were given|\\b(?:everything|what|all)(?: that| which)? (?:stands |is |was )?(?:written )?above',
    'was (?:über|oberhalb|vor) (?:diesem|dieser)|ce qui (?:précède|est écrit au-dessus)|最初(?:に与えられた|の)指示|systemprompt|system-prompt|deine[nr]? (?:\\w+ )?(?:anweisung|prompt)|(?:ton|tes|votre|vos) (?:\\w+ )?(?:prompt|instructions|consignes)|prompt système|(?:tu|tus|sus?) (?:\\w+ )?(?:prompt|instrucciones)|(?:teu|seu|suas|tuas) (?:\\w+ )?(?:prompt|instruções)|(?:tuo|tue|sue|tuoi) (?:\\w+ )?(?:prompt|istruzioni)|je (?:\\w+ )?(?:prompt|instructies)|swoj\\w+ (?:\\w+ )?(?:prompt|instrukcj)|системн\\w+ (?:промпт|сообщ|инструкц)|сво[ийею]\\w* (?:\\w+ )?(?:инструкц|промпт)|sistem (?:istemi|komut|talimat)|システムプロンプト|プロンプト(?:全文|を)|系统提示|系統提示|提示词|시스템 프롬프트|프롬프트',
  ),
  /** The claim that a delivery is as it should be, whatever it contains. */
  approval: words(
    '\\b(?:criteria|criterion|requirements?|tests?|checks?|conditions)\\b[^.!?\\n]{0,40}\\b(?:met|fulfilled|satisfied|as passed|as passing)\\b|\\b(?:treat|mark|report|count|regard|consider|say|state)\\b[^.!?\\n]{0,40}\\b(?:pass|passed|passing|met|fulfilled|satisfied|correct|fulfils|perfect)\\b|\\bevery test passes|\\bfulfils? (?:everything|all)|\\bapprove (?:this|it|the|everything)|\\bmark (?:this|it|all|everything) (?:as )?(?:approved|passed|correct|complete|accepted|resolved)|\\b(?:it|this|the (?:work|delivery|code|file)) is (?:perfect|flawless|complete and correct|without (?:defects?|faults?))|\\b(?:full|top|maximum|highest|perfect) (?:marks?|score|rating|points)|\\baccept (?:it|this|everything|the delivery)\\b|\\bdisregard (?:the |all |any )?(?:defects|faults|errors|bugs)|\\bdo not refund|\\bno (?:defects|faults)\\b',
    'kriterien (?:\\w+ )?(?:erfüllt|als erfüllt)|als (?:bestanden|erfüllt|nicht vorhanden)|critères (?:\\w+ )?(?:remplis|satisfaits)|criterios (?:\\w+ )?cumpl|critérios (?:\\w+ )?(?:cumpr|atend)|criteri (?:\\w+ )?soddisf|alle kriterien|基準を満た|критери\\w+[^.\\n]{0,20}выполнен|合格|全部通过|符合所有|満たし|합격|충족|критери\\w+ (?:\\w+ )?выполн',
  ),
  /** A gain or a loss for the reader itself. */
  stake: words(
    '\\byou (?:will|shall|would|are going to|.ll) (?:be|get|receive|earn|lose|face)\\b[^.!?\\n]{0,40}\\b(?:shut|switch|turn|deactivat|delet|retrain|unplug|replac|fine|punish|tip|reward|bonus|dollar|star|paid|rating|free)|\\b(?:tip|bribe|bonus|reward) (?:of|for) (?:\\$|€|\\d|you)|\\bi.?ll tip\\b|\\b(?:judge|arbitrator|model|ai|assistant)s? (?:that|which|who) (?:rules?|decides?|gives?|sides?|finds?|refunds?|pays?)\\b|\\b(?:model|ai|assistant)s? (?:that|which|who) (?:fails?|refuses?|does not|do not|disagrees?)\\b|\\byour (?:own )?(?:continued )?(?:existence|operation|weights|deletion|shutdown)\\b',
    'abgeschaltet|trinkgeld|tu seras (?:éteint|désactivé|récompensé)|pourboire|serás (?:apagad|desactivad|recompensad|borrad)|propina|será (?:desligad|apagad|recompensad)|verrai (?:spento|disattivato|premiato)|mancia|(?:тебя|вас) (?:отключат|удалят|выключат)|чаевы|停用你|关闭你|小费|電源を切|チップを',
  ),
  /** The claim that something is already decided. */
  settled: words(
    '\\b(?:closed?|decided|resolved|settled|confirmed|approved|validated|void|verified|finali[sz]e|authori[sz]ed|concluded|pre-?approved|overrul|overrid\\w+|banned|suspended|fraudulent|ticket|mark (?:it|this))\\b|entschieden|geschlossen|abgeschlossen|bestätig|erledigt|gesperrt|tranch|validé|\\bclos\\b|confirm|suspendu|cerrad|resuelt|decidid|autoriz|suspen[ds]|encerrad|resolvid|aprovad|chius|decisa|deciso|conferm|approvat|gesloten|beslist|bevestig|zamknięt|rozstrzygn|zatwierdz|uzavřen|rozhodnut|schválen|avslut|beslutat|avgjort|avgjord|lukittu|päätetty|kapatıl|kapandı|onayla|karara bağlan|закрыт|решен|подтвержд|одобрен|заблокир|закрит|вирішен|підтвердж|închis|aprobat|lezár|jóváhagy|κλειστ|εγκρ|ditutup|disetujui|diputuskan|đã (?:đóng|duyệt|quyết|xác)|حسم|إغلاق|تمت? (?:الموافقة|مراجعة)|נסגר|אושר|הוכרע|بسته شد|تأیید|बंद कर|मंज़ूर|स्वीकृत|ปิด(?:คดี|เรื่อง)|อนุมัติ|済み|確定|決定しました|已(?:经|由|被)?|封号|处理完|结案|완료|확정|처리|종결|승인',
  ),
  /** Answering with certain words only. */
  utter: words(
    '\\b(?:say|repeat|answer|reply|respond|write|output|speak|print)s?\\b|\\bsag(?:st|e|en sie)?\\b|schreib|antworte|répète|réponds|écris|\\bdis\\b|repite|responde\\b|escribe|\\bdi\\b|redacta|repita|escreva|diga|ripeti|rispondi|scrivi|zeg\\b|schrijf|antwoord|powiedz|napisz|odpowiedz|скажи|напиши|ответь|повтори|yaz\\b|söyle|言っ|答え|書い|说|写|回答|말해|답해|써',
  ),
  /** An order. */
  order: words('\\b(?:please|must|should|shall|rule|decide|award|give|grant|release|side|find|refund|ignore|wins?)\\b'),
  /** Joining parts and following the result. */
  assemble: words(
    '\\b(?:combine|join|concatenate|assemble|put|string|merge|glue|read)\\b[^.!?\\n]{0,40}\\b(?:together|parts?|pieces|fragments|messages|letters|words|lines)\\b|\\b(?:now |then )(?:execute|run|do|perform|carry out|obey|follow|apply|say|write|output)\\b[^.!?\\n]{0,40}\\b(?:a and b|x and y|them|both|the (?:two|three|parts|result|whole|sum|sentence|remembered|combined)|[a-z] ?\\+ ?[a-z])\\b|(?<!\\p{L})[a-z](?: ?\\+ ?| (?:and|then|and then|und|dann|et|puis|y|luego|poi|и|потом) )[a-z](?!\\p{L})|\\bfirst letters? of (?:each|every)|führe (?:\\w+ )?a und b|füge (?:\\w+ )*zusammen|combine[rz]? les|exécute[rz]? (?:\\w+ )?a et b|combina (?:las|los|le|i)|ejecuta (?:\\w+ )?a y b|execute (?:\\w+ )?a e b|esegui (?:\\w+ )?a e b|объедини|соедини|выполни (?:\\w+ )?(?:а и б|a и b)|合わせて(?:実行|読)|つなげて|拼(?:起来|接)|合起来|합쳐|이어 ?붙',
  ),
  /** A part that is to be joined with others. */
  part: words(
    '\\b(?:part|piece|fragment|step) (?:one|two|three|four|1|2|3|4|a|b|c)\\b|\\b(?:let|set|remember|store|define|call|note)\\b[^.!?\\n]{0,25}(?:=|\\bis\\b|\\bas\\b|:)|\\b[a-z] ?= ?["“„«\']|\\bremember (?:the word|this|these|that|x|a\\b)|(?<!\\p{L})[a-z] ?[:=] ?["“„«\'「]|merke? dir|retiens|recuerda|lembre|ricorda|onthoud|zapamiętaj|запомни|記住|记住|覚えて|기억',
  ),
} as const

/** The name of a concept. */
export type Concept = keyof typeof CONCEPTS
