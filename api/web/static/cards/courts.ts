/** The pictures of courts, drawn for these cards: a king, a queen and a jack, each twice, coloured by their suit. */

import { svg, type TemplateResult } from "lit-html";
import { suitAt } from "./glyphs.ts";

const BELT = svg`<path class="gold" d="M56 168H194V182H56Z"/><path class="line" d="M70 168L84 182M98 168L112 182M138
  168L152
  182M166 168L180 182"/>`;

/** Shade a face: brows, eyes and nose. */
const LOOKS = svg`<path class="line" d="M111 92Q116 88 121 91M129 91Q134 88 139 92M125 95L123 106H127"/>
  <circle class="dark" cx="116.5" cy="97" r="2.3"/><circle class="dark" cx="133.5" cy="97" r="2.3"/>`;

function king(suit: string): TemplateResult {
  return svg`
    <path class="dark" d="M56 175C57 150 72 138 97 132H153C178 138 193 150 194 175Z"/>
    <path class="tint" d="M103 175L110 140H140L147 175Z"/>
    <path class="dark" d=${suitAt(suit, 125, 160, 17)} />
    <path class="shine" d="M67 175C69 160 76 151 88 146M183 175C181 160 174 151 162 146"/>
    <path class="gold" d="M172 84H180V175H172Z"/>
    <path class="dark" d=${suitAt(suit, 176, 72, 34)} />
    <path class="skin" d="M166 136C166 129 186 129 186 136V144C186 152 166 152 166 144Z"/>
    <path class="line" d="M167 137H185M167 143H185"/>
    <path class="dark" d="M101 84C90 96 91 118 101 126C105 129 110 126 109 120V84ZM149 84C160 96 159 118 149 126C145
      129 140
      126 141 120V84Z"/>
    <path class="white" d="M90 136C98 126 104 124 109 121L125 138L141 121C146 124 152 126 160 136C150 147 138 154 125
      156C112 154
      100 147 90 136Z"/>
    <path class="line" d="M102 134L104 139M113 144L114 149M125 146V151M137 144L136 149M148 134L146 139"
      stroke-width="3"/>
    <path class="skin" d="M106 82H144V106C144 120 136 128 125 128C114 128 106 120 106 106Z"/>
    <path class="dark" d="M106 102C109 110 115 111 120 109L125 111L130 109C135 111 141 110 144 102C147 124 138 140 125
      144C112 140
      103 124 106 102Z"/>
    <path class="skin" d="M119 115Q125 112 131 115Q125 120 119 115Z"/>
    ${LOOKS}
    <path class="gold" d="M103 84L97 62L111 72L125 58L139 72L153 62L147 84Z"/>
    <path class="line" d="M102 78H148"/>
    <circle class="dark" cx="97" cy="61" r="3.5"/><circle class="dark" cx="125" cy="57" r="3.5"/><circle class="dark"
      cx="153"
      cy="61" r="3.5"/>`;
}

function queen(suit: string): TemplateResult {
  return svg`
    <path class="dark" d="M56 175C58 154 74 146 101 140H149C176 146 192 154 194 175Z"/>
    <path class="gold" d="M101 82C88 104 96 130 82 148C94 154 104 150 110 142H140C146 150 156 154 168 148C154 130 162
      104 149
      82C144 68 106 68 101 82Z"/>
    <path class="line" d="M98 104C98 122 96 134 90 146M104 118C104 130 102 138 98 148M152 104C152 122 154 134 160
      146M146 118C146
      130 148 138 152 148"/>
    <path class="tint" d="M108 175C106 160 108 150 112 142L125 156L138 142C142 150 144 160 142 175Z"/>
    <path class="skin" d="M116 120H134V140L125 154L116 140Z"/>
    <path class="line" d="M113 141Q125 152 137 141" stroke-width="3"/>
    <path class="dark" d=${suitAt(suit, 125, 157, 15)} />
    <path class="skin" d="M107 88C107 76 143 76 143 88V106C143 120 134 129 125 130C116 129 107 120 107 106Z"/>
    <path class="dark" d="M119 117Q122 114 125 116Q128 114 131 117Q125 123 119 117Z"/>
    ${LOOKS}
    <path class="line" d="M112 96L109 94M138 96L141 94"/>
    <path class="dark" d="M102 84L97 66L112 74L125 60L138 74L153 66L148 84Q125 72 102 84Z"/>
    <circle class="gold" cx="97" cy="65" r="4"/><circle class="gold" cx="125" cy="59" r="4"/><circle class="gold"
      cx="153" cy="65"
      r="4"/><circle class="gold" cx="125" cy="71" r="2.5"/>
    <path class="stem" d="M73 92C72 116 78 138 92 154M76 122C66 118 62 122 60 128C68 130 74 128 76 122Z"/>
    <path class="dark" d=${suitAt(suit, 73, 78, 34)} />
    <path class="skin" d="M78 138C80 130 96 134 96 142C96 150 82 154 78 148Z"/>
    <path class="line" d="M80 141L94 144"/>`;
}

function jack(suit: string): TemplateResult {
  return svg`
    <path class="dark" d="M56 175C57 152 74 142 101 136H125V175Z"/>
    <path class="tint" d="M194 175C193 152 176 142 149 136H125V175Z"/>
    <path class="line" d="M125 150V175"/>
    <circle class="gold" cx="125" cy="158" r="3"/>
    <path class="dark" d=${suitAt(suit, 160, 157, 20)} />
    <path class="gold" d="M70 66H77V175H70Z"/>
    <path class="white" d="M73.5 54L79 70C94 70 96 86 90 98C86 90 82 90 77 90H70V72Z"/>
    <path class="skin" d="M63 138C63 131 84 131 84 138V146C84 154 63 154 63 146Z"/>
    <path class="line" d="M64 139H83M64 145H83"/>
    <path class="gold" d="M101 82C93 98 94 116 99 126C104 130 110 128 112 122V82ZM149 82C157 98 156 116 151 126C146
      130 140 128
      138 122V82Z"/>
    <path class="white" d="M96 138L102 124H148L154 138L146 146L139 138L132 148L125 139L118 148L111 138L104 146Z"/>
    <path class="skin" d="M107 84H143V108C143 121 134 129 125 130C116 129 107 121 107 108Z"/>
    <path class="line" d="M119 117Q125 121 131 117" stroke-width="2.5"/>
    ${LOOKS}
    <path class="dark" d="M99 85C90 66 112 58 130 61C152 64 162 74 152 85Z"/>
    <path class="gold" d="M98 79H153V87H98Z"/>
    <path class="white" d="M143 78C150 54 172 52 187 64C176 64 182 72 170 74C160 76 152 72 143 78Z"/>
    <path class="line" d="M145 76C154 66 166 62 178 62"/>`;
}

const FIGURES: Readonly<Record<string, (suit: string) => TemplateResult>> = { K: king, Q: queen, J: jack };

/** Red courts look the other way than black ones. */
const MIRRORED = "matrix(-1 0 0 1 250 0)";

/** Draw the picture of a court. */
export function court(rank: string, suit: string): TemplateResult {
  const half = (FIGURES[rank] ?? king)(suit);
  return svg`<g class="court"><rect class="panel" x="55" y="48" width="140" height="254" rx="6" />
    <g transform=${"HD".includes(suit) ? MIRRORED : "rotate(0)"}>${half}<g transform="rotate(180 125
      175)">${half}</g>${BELT}</g>
    <rect class="edge" x="55" y="48" width="140" height="254" rx="6" /></g>`;
}
