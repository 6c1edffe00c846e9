raise SystemExit('this is not the ast of Python')
