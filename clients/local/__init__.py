"""Services as processes on this machine: started, waited for, stopped."""
