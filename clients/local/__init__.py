"""Services as processes of this machine: started, waited for, stopped."""
