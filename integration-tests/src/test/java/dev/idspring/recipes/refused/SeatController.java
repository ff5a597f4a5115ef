package dev.idspring.recipes.refused;

import dev.idspring.annotation.IdAsString;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SeatController {

	@GetMapping("/seats/{id}")
	String show(@PathVariable @IdAsString("seats") long id) {
		return "Seat number " + id;
	}

	@PostMapping("/seats")
	String reserve(@RequestBody Reservation reservation) {
		return "Reserved number " + reservation.seat();
	}

	record Reservation(@IdAsString("seats") long seat) {
	}

}
