module example.org/length

go 1.19
