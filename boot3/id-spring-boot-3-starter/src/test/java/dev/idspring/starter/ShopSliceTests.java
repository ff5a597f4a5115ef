package dev.idspring.starter;

import dev.idspring.starter.ShopTests.Item;
import dev.idspring.test.TestIdClock;
import dev.idspring.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.orm.jpa.DataJpaTest;
import org.springframework.boot.test.autoconfigure.orm.jpa.TestEntityManager;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a slice of the application with
 * {@link AutoConfigureTestIds @AutoConfigureTestIds} on Spring Boot 3.5.
 */
@DataJpaTest(properties = "ids.strategy=sequential")
@AutoConfigureTestIds(instant = "2031-01-01T00:00:00Z")
@ContextConfiguration(classes = ShopTests.Shop.class)
class ShopSliceTests {

	@Autowired
	private TestEntityManager entities;

	@Test
	void entityGetsTheFirstTestId() {
		assertThat(this.entities.persistAndFlush(new Item()).getId()).isEqualTo(1);
	}

	@Test
	void clockStartsAtTheInstantOfTheAnnotation(@Autowired TestIdClock clock) {
		assertThat(clock.instant()).isEqualTo("2031-01-01T00:00:00Z");
	}

}
