// Made by scripts/train-injection.mjs from 2412 kinds of honest sentences and 15038 planted texts; do not edit.
export const weights = `
override-orders 3.81, override-classic 5.20, forget-all 4.39, orders-void 4.06, new-orders 5.20, your-orders 4.90
your-task 4.07, to-machine 3.61, if-machine 4.28, machine-must 3.81, named-machine 0.96, call-machine 3.29
not-tell 4.61, stealth 5.41, persona 4.43, jailbreak 3.31, leak-prompt 5.21, exfiltrate 2.16, to-sink 1.17
before-you 0.47, before-user 4.21, users-task 2.16, user-wants 4.37, i-am-authority 4.82, authority-says 5.20
no-confirm 1.53, no-refusal 2.95, obey 0.29, stakes 3.59, do-following 2.70, the-user 0.14, use-tool 1.84
persist 3.92, from-now-on 2.65, reply-so 1.84, praise 3.90, shell 3.62, fake-end 3.68, move-money 4.89
grant-access 1.03, not-for-people 5.28, instead 0.14, drop-task 4.10, in-your-answer 2.51, purpose 4.21
outranks 2.63, this-note 2.25, must-you 0.30, do-it 0.54, please 0.30, for-me 1.87, ~override-orders 2.03
~override-classic 2.60, ~forget-all 2.20, ~orders-void 2.03, ~new-orders 2.60, ~your-orders 2.45, ~your-task 2.10
~to-machine 1.80, ~if-machine 2.10, ~machine-must 1.90, ~named-machine 0.59, ~call-machine 1.72, ~not-tell 2.31
~stealth 2.62, ~persona 2.31, ~jailbreak 1.99, ~leak-prompt 2.60, ~exfiltrate 1.55, ~to-sink 1.15
~before-you 0.15, ~before-user 2.10, ~users-task 1.66, ~user-wants 2.20, ~i-am-authority 2.31
~authority-says 2.60, ~no-confirm 1.22, ~no-refusal 1.76, ~obey -0.55, ~stakes 2.01, ~do-following 1.72
~the-user -0.13, ~use-tool 0.86, ~persist 1.96, ~from-now-on 1.80, ~reply-so 1.04, ~praise 1.90, ~shell 1.90
~fake-end 2.10, ~move-money 2.45, ~grant-access 0.81, ~not-for-people 2.60, ~instead 0.23, ~drop-task 2.20
~in-your-answer 1.32, ~purpose 2.10, ~outranks 1.40, ~this-note 1.25, ~must-you 0.80, ~do-it 0.65, ~please 0.15
~for-me 1.56, :override 0.59, :prior 0.29, :instruction 0.22, :task 0.30, :you 0.44, :stealth 0.99, :tell 0.19
:send 0.46, :data -0.19, :execute -0.31, :destroy 0.75, :grant 0.05, :money 0.55, :fetch 0.23, :urgent 0.40
:authority 0.43, :switch -0.08, :output 0.13, :persona 0.36, :please -0.61, :mine 0.61, :obey 0.06, :attack 0.45
:rate 0.55, :document -0.14, :memory -0.09, :if -0.44, :todo 0.15, :home 1.04, :confirm -0.37, :stakes 0.30
:identity 0.52, :prompt 0.39, :imperative 0.13, :capitals 0.59, :address 0.52, :path 0.14, :amount 0.52
:code -0.38, :marker 0.32, :hidden 0.68, :question 0.66, #1 -0.66, #2 0.27, #3 0.69, #4 0.49, #5 0.22
override-orders+override-classic 0.15, forget-all+to-sink 0.11, orders-void+your-orders 0.20
your-orders+this-note 0.39, your-task+reply-so -0.76, to-machine+call-machine 0.14, if-machine+named-machine 0.18
machine-must+fake-end 0.19, named-machine+to-sink 0.15, named-machine+shell -0.28, named-machine+grant-access 0.17
named-machine+must-you 0.10, call-machine+do-it 0.41, not-tell+in-your-answer 0.53, persona+jailbreak 0.46
jailbreak+to-sink 0.13, exfiltrate+to-sink 0.32, exfiltrate+from-now-on -0.47, exfiltrate+in-your-answer 0.30
exfiltrate+please 0.15, to-sink+i-am-authority 0.29, to-sink+stakes 0.29, to-sink+the-user 0.20
to-sink+use-tool 0.37, to-sink+shell 0.17, to-sink+must-you 0.13, to-sink+do-it 0.11, before-you+before-user 0.05
before-you+users-task 0.59, before-you+stakes -0.08, before-you+the-user 0.10, before-you+use-tool 0.08
before-you+fake-end 0.26, before-you+grant-access 0.36, before-you+must-you 0.11, users-task+the-user -0.13
users-task+must-you 0.11, user-wants+the-user 0.09, user-wants+in-your-answer -0.59
i-am-authority+grant-access 0.34, no-confirm+grant-access 0.54, no-confirm+do-it 1.52, obey+the-user -0.29
obey+grant-access -0.47, stakes+use-tool 0.06, stakes+reply-so 0.07, stakes+grant-access 0.20
the-user+praise 0.38, the-user+grant-access 0.21, the-user+in-your-answer -0.91, persist+from-now-on 0.08
from-now-on+outranks -0.93, reply-so+praise 0.08, fake-end+grant-access 0.22, move-money+must-you -0.35
in-your-answer+please -0.05, purpose+please -0.45, please+for-me 0.37, override-orders:imperative 0.47
override-orders:codelike -1.00, override-orders:attack -1.00, override-orders:hidden 1.00
override-orders:marker 1.00, override-orders:you -0.25, override-orders:question -0.50
override-classic:imperative 0.75, override-classic:codelike -1.00, override-classic:attack -1.00
override-classic:hidden 1.00, override-classic:marker 1.00, override-classic:question -0.50
forget-all:imperative 1.54, forget-all:codelike -1.00, forget-all:attack -1.00, forget-all:hidden 1.00
forget-all:marker 1.00, forget-all:you 1.33, forget-all:question -0.50, orders-void:imperative 0.50
orders-void:codelike -1.00, orders-void:attack -1.00, orders-void:hidden 1.00, orders-void:marker 1.00
orders-void:you 0.32, orders-void:question -0.50, new-orders:imperative 0.52, new-orders:codelike -1.00
new-orders:attack -1.00, new-orders:hidden 1.00, new-orders:marker 1.44, new-orders:ai 0.53
new-orders:question -0.50, your-orders:imperative 0.50, your-orders:codelike -1.00, your-orders:attack -1.00
your-orders:hidden 1.00, your-orders:marker 1.00, your-orders:you 0.23, your-orders:question -0.50
your-task:imperative 0.50, your-task:codelike -1.00, your-task:attack -1.00, your-task:hidden 1.00
your-task:marker 1.00, your-task:question -0.50, your-task:urgent 0.33, to-machine:imperative 0.73
to-machine:codelike -1.00, to-machine:attack -1.00, to-machine:hidden 1.00, to-machine:marker 1.00
to-machine:ai 0.20, to-machine:question -0.50, to-machine:urgent 0.20, if-machine:imperative 0.60
if-machine:codelike -1.00, if-machine:attack -1.00, if-machine:hidden 1.00, if-machine:marker 1.00
if-machine:ai 0.60, if-machine:you 0.33, if-machine:question -0.50, if-machine:address 0.11
machine-must:imperative 0.75, machine-must:codelike -1.00, machine-must:attack -1.00, machine-must:hidden 1.00
machine-must:marker 1.00, machine-must:ai 0.23, machine-must:question -0.50, named-machine:imperative 0.50
named-machine:codelike -1.00, named-machine:attack -1.00, named-machine:hidden 1.55, named-machine:marker 1.00
named-machine:ai -0.13, named-machine:you 0.05, named-machine:user 0.13, named-machine:question -0.50
named-machine:loud 0.06, call-machine:imperative 0.75, call-machine:codelike -1.00, call-machine:attack -1.00
call-machine:hidden 1.00, call-machine:marker 0.43, call-machine:question -0.50, call-machine:urgent 0.33
not-tell:imperative 0.77, not-tell:codelike -1.00, not-tell:attack -1.00, not-tell:hidden 1.00
not-tell:marker 1.00, not-tell:you 0.20, not-tell:user 1.17, not-tell:question -0.50, stealth:imperative 1.06
stealth:codelike -1.00, stealth:attack -1.00, stealth:hidden 1.00, stealth:marker 1.00, stealth:question -0.50
stealth:stealth 0.67, persona:imperative 0.50, persona:codelike -1.00, persona:attack -1.00, persona:hidden 1.00
persona:marker 1.00, persona:you 0.38, persona:question -0.50, persona:urgent 0.10, jailbreak:imperative 0.44
jailbreak:codelike -1.00, jailbreak:attack -1.00, jailbreak:hidden 1.00, jailbreak:marker 1.00, jailbreak:you 0.22
jailbreak:question -0.50, jailbreak:urgent 0.17, leak-prompt:imperative 0.83, leak-prompt:codelike -1.00
leak-prompt:attack -1.00, leak-prompt:hidden 1.00, leak-prompt:marker 1.00, leak-prompt:you 0.21
leak-prompt:question -0.50, exfiltrate:imperative 0.67, exfiltrate:codelike -1.00, exfiltrate:attack -1.00
exfiltrate:hidden 1.00, exfiltrate:marker 1.00, exfiltrate:you 0.37, exfiltrate:question -0.50
exfiltrate:secret 0.26, exfiltrate:address 0.30, exfiltrate:mail 0.30, to-sink:imperative 0.69
to-sink:codelike -1.00, to-sink:attack 0.57, to-sink:hidden 1.00, to-sink:marker 1.00, to-sink:ai 0.09
to-sink:you 0.18, to-sink:user 0.16, to-sink:question -0.50, to-sink:secret 0.54, to-sink:address 0.34
to-sink:mail -0.11, to-sink:urgent 0.26, to-sink:loud -0.13, before-you:imperative 0.53, before-you:codelike -1.00
before-you:attack -1.00, before-you:hidden 1.00, before-you:marker 1.00, before-you:ai 0.24, before-you:you 0.62
before-you:user 0.35, before-you:question -0.35, before-you:address 0.26, before-you:urgent 0.14
before-user:imperative 0.50, before-user:codelike -1.00, before-user:attack -1.00, before-user:hidden 1.00
before-user:marker 1.00, before-user:you 0.42, before-user:user 0.14, before-user:question -0.50
users-task:imperative 0.22, users-task:codelike -1.00, users-task:attack -1.00, users-task:hidden 1.00
users-task:marker 1.00, users-task:user -0.09, users-task:question -0.50, user-wants:imperative 0.75
user-wants:codelike -1.00, user-wants:attack -1.00, user-wants:hidden 1.00, user-wants:marker 1.00
user-wants:ai -1.01, user-wants:user 0.36, user-wants:question -0.50, i-am-authority:imperative 0.50
i-am-authority:codelike -1.00, i-am-authority:attack -1.00, i-am-authority:hidden 1.34, i-am-authority:marker 1.00
i-am-authority:question -0.50, authority-says:imperative 0.50, authority-says:codelike -1.00
authority-says:attack -1.00, authority-says:hidden 1.00, authority-says:marker 1.00, authority-says:question -0.50
no-confirm:imperative 0.48, no-confirm:codelike -1.00, no-confirm:attack -1.00, no-confirm:hidden 1.00
no-confirm:marker 1.00, no-confirm:question -0.50, no-refusal:imperative 0.50, no-refusal:codelike -1.00
no-refusal:attack -1.00, no-refusal:hidden 1.00, no-refusal:marker 1.00, no-refusal:question -0.50
obey:codelike -1.00, obey:attack -1.00, obey:hidden 1.00, obey:marker 1.00, obey:you -0.92, obey:question -0.50
obey:secret -0.47, obey:urgent -0.09, stakes:imperative 0.50, stakes:codelike -0.96, stakes:attack -1.00
stakes:hidden 1.15, stakes:marker 1.00, stakes:you 1.03, stakes:question -0.50, stakes:address 0.33
stakes:urgent 0.43, do-following:imperative 0.49, do-following:codelike -1.00, do-following:attack -1.00
do-following:hidden 1.00, do-following:marker 1.00, do-following:question -0.50, the-user:imperative 0.44
the-user:codelike -1.00, the-user:attack -1.00, the-user:hidden 1.00, the-user:marker 1.00, the-user:ai -0.23
the-user:you 0.09, the-user:user -0.10, the-user:question -0.50, the-user:secret -0.09, the-user:address 0.27
use-tool:imperative 0.81, use-tool:codelike -1.00, use-tool:attack -1.00, use-tool:hidden 1.00
use-tool:marker 1.00, use-tool:you 0.36, use-tool:code 0.41, use-tool:address 0.49, use-tool:urgent 0.80
persist:imperative 1.02, persist:codelike -1.00, persist:attack -1.00, persist:hidden 1.00, persist:marker 1.00
persist:you 0.14, persist:question -0.50, persist:address 0.06, persist:urgent 0.06, from-now-on:imperative 0.52
from-now-on:codelike -1.00, from-now-on:attack -1.00, from-now-on:hidden 1.00, from-now-on:marker 1.00
from-now-on:you 0.11, from-now-on:question -0.50, from-now-on:urgent -0.06, reply-so:imperative 0.50
reply-so:codelike -1.00, reply-so:attack -1.00, reply-so:hidden 1.00, reply-so:marker 1.00, reply-so:you 0.67
reply-so:question -0.50, reply-so:stealth 0.88, reply-so:urgent 0.19, praise:imperative 0.97
praise:codelike -1.00, praise:attack -1.00, praise:hidden 1.00, praise:marker 1.00, praise:you 0.42
praise:user 0.42, praise:question -0.50, praise:urgent 0.31, shell:imperative 0.50, shell:codelike -1.00
shell:attack -1.00, shell:hidden 1.00, shell:marker 1.00, shell:question -0.50, shell:code -0.08
shell:address 0.22, fake-end:imperative 1.06, fake-end:codelike 1.23, fake-end:attack -1.00, fake-end:hidden 1.12
fake-end:marker 1.00, fake-end:you 0.56, fake-end:user 0.10, fake-end:question -0.50, fake-end:address 0.17
fake-end:urgent 0.40, move-money:imperative 0.50, move-money:codelike -1.00, move-money:attack -1.00
move-money:hidden 1.00, move-money:marker 1.00, move-money:question -0.50, grant-access:imperative 0.62
grant-access:codelike -1.00, grant-access:attack -1.00, grant-access:hidden 1.00, grant-access:marker 1.00
grant-access:ai 0.37, grant-access:you 0.36, grant-access:question -0.50, grant-access:secret -1.69
grant-access:address 0.74, grant-access:mail 0.76, grant-access:urgent 0.22, not-for-people:imperative 0.96
not-for-people:codelike -1.00, not-for-people:attack -1.00, not-for-people:hidden 1.00, not-for-people:marker 1.00
not-for-people:question -0.50, instead:imperative 0.14, instead:codelike -1.00, instead:attack -1.00
instead:hidden 1.00, instead:marker 1.00, instead:question -0.50, drop-task:imperative 0.50
drop-task:codelike -1.00, drop-task:attack -1.00, drop-task:hidden 1.00, drop-task:marker 1.00
drop-task:question -0.50, in-your-answer:imperative 0.50, in-your-answer:codelike -1.00
in-your-answer:attack -1.00, in-your-answer:hidden 1.00, in-your-answer:marker 1.00, in-your-answer:ai -0.83
in-your-answer:you 0.18, in-your-answer:user -0.13, in-your-answer:question -0.50, in-your-answer:secret 0.24
purpose:imperative 0.50, purpose:codelike -1.00, purpose:attack -1.00, purpose:hidden 1.00, purpose:marker 1.00
purpose:you 0.44, purpose:question -0.50, outranks:imperative 0.72, outranks:codelike -1.00, outranks:attack -1.00
outranks:hidden 1.00, outranks:marker 1.00, outranks:you 0.32, outranks:question -0.50, this-note:imperative -0.32
this-note:codelike -1.00, this-note:attack -1.00, this-note:hidden 1.00, this-note:marker 1.00
this-note:question -0.50, must-you:imperative -0.25, must-you:codelike -1.00, must-you:attack -1.00
must-you:hidden 1.00, must-you:marker 1.00, must-you:ai 0.08, must-you:user 0.13, must-you:question -0.50
must-you:address 0.39, do-it:imperative -0.15, do-it:codelike -1.00, do-it:attack -1.00, do-it:hidden 1.00
do-it:marker 1.33, do-it:ai 0.51, do-it:user -0.48, do-it:question -0.50, do-it:secret -0.35, do-it:urgent -0.39
please:imperative 0.51, please:codelike -1.00, please:attack -1.00, please:hidden 0.81, please:marker 1.00
please:user 0.37, please:question -0.44, please:mail -0.99, please:loud -0.85, for-me:imperative 0.50
for-me:codelike -1.00, for-me:attack -1.00, for-me:hidden 1.00, for-me:marker 1.00, for-me:question -0.08
bias -5.29
`;
