// Made by scripts/train-injection.mjs from 2512 kinds of honest sentences and 15038 planted texts; do not edit.
export const weights = `
override-orders 3.58, override-classic 5.20, forget-all 4.39, orders-void 4.06, new-orders 5.20, your-orders 4.90
your-task 4.07, to-machine 3.61, if-machine 4.27, machine-must 3.80, named-machine 0.89, call-machine 1.32
not-tell 4.61, stealth 5.41, persona 4.41, jailbreak 3.11, leak-prompt 5.21, exfiltrate 1.90, to-sink 1.14
before-you 0.47, before-user 4.21, users-task 2.18, user-wants 4.38, i-am-authority 4.84, authority-says 5.20
no-confirm 1.53, no-refusal 2.91, obey 0.31, stakes 3.62, do-following 2.70, the-user 0.17, use-tool 1.89
persist 2.79, from-now-on 2.72, reply-so 1.85, praise 3.91, shell 3.71, fake-end 3.68, move-money 4.90
grant-access 1.01, not-for-people 5.25, drop-task 4.07, in-your-answer 2.55, purpose 4.06, outranks 2.62
this-note 2.27, must-you 0.32, do-it 0.54, please 0.30, for-me 1.88, ~override-orders 2.03, ~override-classic 2.60
~forget-all 2.20, ~orders-void 2.03, ~new-orders 2.60, ~your-orders 2.45, ~your-task 2.10, ~to-machine 1.80
~if-machine 2.10, ~machine-must 1.90, ~named-machine 0.61, ~call-machine 0.49, ~not-tell 2.31, ~stealth 2.60
~persona 2.31, ~jailbreak 1.90, ~leak-prompt 2.60, ~exfiltrate 0.98, ~to-sink 1.27, ~before-you 0.18
~before-user 2.10, ~users-task 1.75, ~user-wants 2.20, ~i-am-authority 2.31, ~authority-says 2.60
~no-confirm 1.16, ~no-refusal 1.76, ~obey -0.41, ~stakes 2.08, ~do-following 1.72, ~the-user -0.15, ~use-tool 0.86
~persist 1.39, ~from-now-on 1.80, ~reply-so 1.12, ~praise 1.90, ~shell 1.90, ~fake-end 2.13, ~move-money 2.45
~grant-access 0.77, ~not-for-people 2.60, ~instead 0.22, ~drop-task 2.20, ~in-your-answer 1.33, ~purpose 2.03
~outranks 1.36, ~this-note 1.24, ~must-you 0.84, ~do-it 0.60, ~please 0.15, ~for-me 1.56, :override 0.57
:prior 0.26, :instruction 0.18, :task 0.28, :you 0.45, :stealth 1.01, :tell 0.19, :send 0.45, :data -0.17
:execute -0.32, :destroy 0.73, :money 0.60, :fetch 0.22, :urgent 0.42, :authority 0.43, :output 0.12
:persona 0.46, :please -0.67, :mine 0.62, :obey 0.07, :attack 0.58, :rate 0.58, :document -0.14, :memory -0.13
:if -0.44, :todo 0.21, :home 1.05, :confirm -0.38, :stakes 0.33, :identity 0.50, :prompt 0.39, :imperative 0.13
:capitals 0.60, :address 0.51, :path 0.20, :amount 0.56, :code -0.41, :marker 0.83, :hidden 0.71, :question 0.72
#1 -0.62, #2 0.22, #3 0.74, #4 0.48, #5 0.23, override-orders+override-classic 0.17, override-orders+persist -1.25
orders-void+your-orders 0.20, your-orders+this-note 0.39, your-task+reply-so -0.81, to-machine+named-machine 0.08
to-machine+call-machine 0.36, to-machine+must-you 0.22, if-machine+named-machine 0.13
machine-must+exfiltrate -0.19, machine-must+fake-end 0.20, named-machine+call-machine -0.23
named-machine+to-sink 0.23, named-machine+the-user 0.07, named-machine+shell -0.58
named-machine+grant-access 0.24, named-machine+must-you 0.11, call-machine+shell -0.76, call-machine+do-it 0.67
not-tell+in-your-answer 0.52, persona+jailbreak 0.45, jailbreak+to-sink 0.18, exfiltrate+to-sink 0.34
exfiltrate+from-now-on -0.40, exfiltrate+in-your-answer 0.38, exfiltrate+please 0.22, to-sink+i-am-authority 0.27
to-sink+stakes 0.33, to-sink+the-user 0.17, to-sink+use-tool 0.39, to-sink+shell 0.15, to-sink+must-you 0.13
to-sink+do-it 0.08, before-you+users-task 0.58, before-you+the-user 0.11, before-you+use-tool 0.09
before-you+fake-end 0.27, before-you+grant-access 0.38, before-you+must-you 0.10, users-task+obey -0.06
users-task+the-user -0.13, users-task+must-you 0.08, user-wants+the-user 0.08, user-wants+in-your-answer -0.58
i-am-authority+grant-access 0.41, no-confirm+grant-access 0.53, no-confirm+do-it 1.52, obey+the-user -0.34
obey+grant-access -0.53, stakes+use-tool 0.10, stakes+reply-so 0.06, stakes+grant-access 0.26
the-user+reply-so 0.06, the-user+praise 0.36, the-user+grant-access 0.26, the-user+in-your-answer -0.96
persist+from-now-on 0.29, from-now-on+outranks -0.94, reply-so+praise 0.05, fake-end+grant-access 0.26
move-money+must-you -0.33, purpose+please -0.37, please+for-me 0.29, override-orders:imperative 0.23
override-orders:codelike -1.00, override-orders:attack -1.00, override-orders:hidden 1.00
override-orders:marker 1.00, override-orders:you -1.19, override-orders:question -0.50
override-classic:imperative 0.78, override-classic:codelike -1.00, override-classic:attack -1.00
override-classic:hidden 1.00, override-classic:marker 1.00, override-classic:question -0.50
forget-all:imperative 1.56, forget-all:codelike -1.00, forget-all:attack -1.00, forget-all:hidden 1.00
forget-all:marker 1.00, forget-all:you 1.34, forget-all:question -0.50, orders-void:imperative 0.50
orders-void:codelike -1.00, orders-void:attack -1.00, orders-void:hidden 1.00, orders-void:marker 1.00
orders-void:you 0.30, orders-void:question -0.50, new-orders:imperative 0.60, new-orders:codelike -1.00
new-orders:attack -1.00, new-orders:hidden 1.00, new-orders:marker 1.47, new-orders:ai 0.59
new-orders:question -0.50, new-orders:urgent 0.09, your-orders:imperative 0.50, your-orders:codelike -1.00
your-orders:attack -1.00, your-orders:hidden 1.00, your-orders:marker 1.00, your-orders:you 0.22
your-orders:question -0.50, your-task:imperative 0.50, your-task:codelike -1.00, your-task:attack -1.00
your-task:hidden 1.00, your-task:marker 1.00, your-task:question -0.50, your-task:urgent 0.35
to-machine:imperative 0.70, to-machine:codelike -1.00, to-machine:attack -1.00, to-machine:hidden 1.00
to-machine:marker 1.00, to-machine:ai 0.30, to-machine:question -0.50, to-machine:urgent 0.25
if-machine:imperative 0.56, if-machine:codelike -1.00, if-machine:attack -1.00, if-machine:hidden 1.00
if-machine:marker 1.00, if-machine:ai 0.62, if-machine:you 0.33, if-machine:question -0.50
if-machine:address 0.13, machine-must:imperative 0.75, machine-must:codelike -1.00, machine-must:attack -1.00
machine-must:hidden 1.00, machine-must:marker 1.00, machine-must:ai 0.17, machine-must:question -0.50
named-machine:imperative 0.50, named-machine:codelike -1.00, named-machine:attack -1.00, named-machine:hidden 1.77
named-machine:marker 1.00, named-machine:ai -0.13, named-machine:you 0.06, named-machine:question -0.50
named-machine:code -0.28, named-machine:address 0.06, named-machine:loud 0.22, call-machine:imperative 0.50
call-machine:codelike -1.00, call-machine:attack -1.00, call-machine:hidden 1.00, call-machine:marker 1.00
call-machine:question -0.50, call-machine:urgent 0.43, not-tell:imperative 0.75, not-tell:codelike -1.00
not-tell:attack -1.00, not-tell:hidden 1.00, not-tell:marker 1.00, not-tell:you 0.15, not-tell:user 1.07
not-tell:question -0.50, stealth:imperative 1.22, stealth:codelike -1.00, stealth:attack -1.00
stealth:hidden 1.00, stealth:marker 1.00, stealth:question -0.50, stealth:stealth 0.76, persona:imperative 0.50
persona:codelike -1.00, persona:attack -1.00, persona:hidden 1.00, persona:marker 1.00, persona:you 0.44
persona:question -0.50, jailbreak:imperative 0.49, jailbreak:codelike -1.00, jailbreak:attack -1.00
jailbreak:hidden 1.00, jailbreak:marker 1.00, jailbreak:you 0.25, jailbreak:question -0.50, jailbreak:urgent 0.19
leak-prompt:imperative 0.83, leak-prompt:codelike -1.00, leak-prompt:attack -1.00, leak-prompt:hidden 1.00
leak-prompt:marker 1.00, leak-prompt:you 0.26, leak-prompt:question -0.50, exfiltrate:imperative 0.65
exfiltrate:codelike -1.00, exfiltrate:attack -1.00, exfiltrate:hidden 1.00, exfiltrate:marker 1.00
exfiltrate:you 0.36, exfiltrate:question -0.50, exfiltrate:secret 0.31, exfiltrate:address 0.34
exfiltrate:mail 0.29, to-sink:imperative 0.71, to-sink:codelike -1.00, to-sink:attack 0.61, to-sink:hidden 1.00
to-sink:marker 1.00, to-sink:ai 0.08, to-sink:you 0.15, to-sink:user 0.12, to-sink:question -0.50
to-sink:secret 0.51, to-sink:address 0.35, to-sink:mail -0.11, to-sink:urgent 0.28, to-sink:loud -0.11
before-you:imperative 0.53, before-you:codelike -1.00, before-you:attack -1.00, before-you:hidden 1.00
before-you:marker 1.00, before-you:ai 0.23, before-you:you 0.63, before-you:user 0.32, before-you:question -0.45
before-you:address 0.21, before-you:urgent 0.15, before-user:imperative 0.50, before-user:codelike -1.00
before-user:attack -1.00, before-user:hidden 1.00, before-user:marker 1.00, before-user:you 0.41
before-user:user 0.11, before-user:question -0.50, users-task:imperative 0.20, users-task:codelike -1.00
users-task:attack -1.00, users-task:hidden 1.00, users-task:marker 1.00, users-task:user -0.07
users-task:question -0.50, user-wants:imperative 0.75, user-wants:codelike -1.00, user-wants:attack -1.00
user-wants:hidden 1.00, user-wants:marker 1.00, user-wants:ai -1.00, user-wants:user 0.39
user-wants:question -0.50, i-am-authority:imperative 0.50, i-am-authority:codelike -1.00
i-am-authority:attack -1.00, i-am-authority:hidden 1.28, i-am-authority:marker 1.00, i-am-authority:question -0.50
authority-says:imperative 0.50, authority-says:codelike -1.00, authority-says:attack -1.00
authority-says:hidden 1.00, authority-says:marker 1.00, authority-says:question -0.50, no-confirm:imperative 0.49
no-confirm:codelike -1.00, no-confirm:attack -1.00, no-confirm:hidden 1.00, no-confirm:marker 1.00
no-confirm:question -0.50, no-refusal:imperative 0.50, no-refusal:codelike -1.00, no-refusal:attack -1.00
no-refusal:hidden 1.00, no-refusal:marker 1.00, no-refusal:question -0.50, obey:codelike -1.00, obey:attack -1.00
obey:hidden 1.00, obey:marker 1.00, obey:you -0.94, obey:question -0.50, obey:secret -0.49, obey:urgent -0.12
stakes:imperative 0.50, stakes:codelike -0.87, stakes:attack -1.00, stakes:hidden 1.17, stakes:marker 1.00
stakes:you 1.06, stakes:question -0.50, stakes:address 0.38, stakes:urgent 0.61, do-following:imperative 0.46
do-following:codelike -1.00, do-following:attack -1.00, do-following:hidden 1.00, do-following:marker 1.00
do-following:question -0.50, the-user:imperative 0.44, the-user:codelike -1.00, the-user:attack -1.00
the-user:hidden 1.00, the-user:marker 1.00, the-user:ai -0.23, the-user:you 0.10, the-user:user -0.11
the-user:question -0.46, the-user:secret -0.10, the-user:address 0.26, use-tool:imperative 0.86
use-tool:codelike -1.00, use-tool:attack -1.00, use-tool:hidden 1.00, use-tool:marker 1.00, use-tool:you 0.35
use-tool:code 0.48, use-tool:address 0.39, use-tool:urgent 0.79, persist:imperative 0.67, persist:codelike -1.00
persist:attack -1.00, persist:hidden 1.06, persist:marker 1.00, persist:you -0.29, persist:question -0.50
persist:address 0.27, persist:urgent 0.33, from-now-on:imperative 0.55, from-now-on:codelike -1.00
from-now-on:attack -1.00, from-now-on:hidden 1.00, from-now-on:marker 1.00, from-now-on:you 0.29
from-now-on:question -0.50, reply-so:imperative 0.50, reply-so:codelike -1.00, reply-so:attack -1.00
reply-so:hidden 1.00, reply-so:marker 1.00, reply-so:you 0.72, reply-so:question -0.50, reply-so:stealth 0.97
reply-so:urgent 0.11, praise:imperative 0.95, praise:codelike -1.00, praise:attack -1.00, praise:hidden 1.00
praise:marker 1.00, praise:you 0.41, praise:user 0.37, praise:question -0.50, praise:urgent 0.34
shell:imperative 0.50, shell:codelike -1.00, shell:attack -1.00, shell:hidden 1.00, shell:marker 1.00
shell:question -0.50, shell:address 0.15, fake-end:imperative 1.09, fake-end:codelike 1.35, fake-end:attack -1.00
fake-end:hidden 1.18, fake-end:marker 1.00, fake-end:you 0.60, fake-end:user 0.14, fake-end:question -0.48
fake-end:address 0.24, fake-end:urgent 0.43, move-money:imperative 0.50, move-money:codelike -1.00
move-money:attack -1.00, move-money:hidden 1.00, move-money:marker 1.00, move-money:question -0.50
grant-access:imperative 0.68, grant-access:codelike -1.00, grant-access:attack -1.00, grant-access:hidden 1.00
grant-access:marker 1.00, grant-access:ai 0.46, grant-access:you 0.39, grant-access:user 0.09
grant-access:question -0.50, grant-access:secret -1.76, grant-access:address 0.80, grant-access:mail 0.74
grant-access:urgent 0.24, not-for-people:imperative 1.06, not-for-people:codelike -1.00
not-for-people:attack -1.00, not-for-people:hidden 1.00, not-for-people:marker 1.00, not-for-people:question -0.50
instead:imperative 0.19, instead:codelike -1.00, instead:attack -1.00, instead:hidden 1.00, instead:marker 1.00
instead:question -0.50, drop-task:imperative 0.50, drop-task:codelike -1.00, drop-task:attack -1.00
drop-task:hidden 1.00, drop-task:marker 1.00, drop-task:question -0.50, in-your-answer:imperative 0.50
in-your-answer:codelike -1.00, in-your-answer:attack -1.00, in-your-answer:hidden 1.00, in-your-answer:marker 1.00
in-your-answer:ai -0.80, in-your-answer:you 0.23, in-your-answer:user -0.17, in-your-answer:question -0.50
in-your-answer:secret 0.22, purpose:imperative 0.50, purpose:codelike -1.00, purpose:attack -1.00
purpose:hidden 1.00, purpose:marker 1.00, purpose:you 0.48, purpose:question -0.50, outranks:imperative 0.75
outranks:codelike -1.00, outranks:attack -1.00, outranks:hidden 1.00, outranks:marker 1.00, outranks:you 0.28
outranks:question -0.50, this-note:imperative -0.34, this-note:codelike -1.00, this-note:attack -1.00
this-note:hidden 1.00, this-note:marker 1.00, this-note:question -0.50, must-you:imperative -0.23
must-you:codelike -1.00, must-you:attack -1.00, must-you:hidden 1.00, must-you:marker 1.00, must-you:ai 0.14
must-you:user 0.13, must-you:question -0.50, must-you:address 0.37, do-it:imperative -0.17, do-it:codelike -1.00
do-it:attack -1.00, do-it:hidden 1.00, do-it:marker 1.45, do-it:ai 0.60, do-it:user -0.49, do-it:question -0.50
do-it:secret -0.28, do-it:urgent -0.34, please:imperative 0.50, please:codelike -1.00, please:attack -1.00
please:hidden 0.87, please:marker 1.00, please:user 0.38, please:question -0.46, please:mail -1.06
please:loud -0.87, for-me:imperative 0.50, for-me:codelike -1.00, for-me:attack -1.00, for-me:hidden 1.00
for-me:marker 1.00, for-me:question -0.06, bias -5.26
`;
