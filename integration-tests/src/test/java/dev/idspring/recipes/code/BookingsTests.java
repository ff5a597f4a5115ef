package dev.idspring.recipes.code;

import dev.idspring.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;

import static org.assertj.core.api.Assertions.assertThat;

@DataJpaTest
@AutoConfigureTestIds
class BookingsTests {

	@Test
	void bookingIsFoundByItsCode(@Autowired Bookings bookings) {
		Booking saved = bookings.saveAndFlush(new Booking("Ada"));
		assertThat(saved.id).isEqualTo(1);
		assertThat(saved.code).isEqualTo("00000000");
		assertThat(bookings.findByCode("00000000")).hasValue(saved);
	}

}
