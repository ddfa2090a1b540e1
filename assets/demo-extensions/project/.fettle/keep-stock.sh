# Refuses each command that removes the stock list.
if grep -q "rm stock.csv"; then
  echo "stock.csv is never removed" >&2
  exit 2
fi
echo '{"action": "abstain"}'
